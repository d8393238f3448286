// Keeps pictures reproducible: no caret, no CSS animation or transition, no smooth scrolling.
// One of the parts of the init script (see settle.py).

const still = new CSSStyleSheet();
still.replaceSync(`*, *::before, *::after {
  caret-color: transparent !important; scroll-behavior: auto !important;
  animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
  transition-duration: 0s !important; transition-delay: 0s !important;
}`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];

// Rules of the document do not reach into shadow roots.
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function attachShadow(init) {
  const root = attach.call(this, init);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, still];
  return root;
};

// Animations by script live on the browser's own time line: let them end at once.
const animate = Element.prototype.animate;
Element.prototype.animate = function (...args) {
  const animation = animate.apply(this, args);
  try { animation.finish(); } catch { animation.cancel(); }      // an endless one cannot be finished
  return animation;
};
