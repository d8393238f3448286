// Whether a press, a hover or a text arrives where it was meant to: a page may remove, replace, move or cover an element
// while the mouse is on its way to it. One of the parts of the init script (see settle.py).

let aim = null, typing = null;

/** Watch what the mouse does next, which is meant for `element`. A press that would land on something else is kept from
 *  the page. Null: nothing more is meant. */
sg.aim = (element) => { aim = element && { element, over: false, pressed: null, clicked: false, at: null, missed: null }; };

/** Watch the keys that are typed next, which are meant for `element`. */
sg.typeInto = (element) => { typing = { element, lost: false }; };

/** The same thing drawn anew, as a person would see it. */
const alike = (one, other) => one.tagName === other.tagName && one.type === other.type
  && ["role", "aria-label", "name", "href"].every((name) => one.getAttribute(name) === other.getAttribute(name))
  && clean(one.textContent) === clean(other.textContent);
function twin(node, element, same) {
  for (let at = node; at; at = above(at)) if (same(at, element)) return at;
  return null;
}

const isAt = (element, { x, y }) =>
  [...element.getClientRects()].some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);

/** Whether what happens on `found` at a point happens to the element. */
const reaches = (element, found, at) => isInside(found, element)
  || element.isConnected && isVisible(element) && isAt(element, at) && !cover(element, found);

/** Why it does not. */
function missed(element, at) {
  if (!element.isConnected) return refuse("gone");
  if (!isVisible(element)) return refuse("vanished");
  const found = at && isAt(element, at) && hit(at.x, at.y);
  return found ? refuse("covered_now", describe(found)) : refuse("moved");
}

function press(found) {
  if (!aim.element.isConnected) aim.element = twin(found, aim.element, alike) || aim.element;
  aim.pressed = reaches(aim.element, found, aim.at);
  if (!aim.pressed) aim.missed = missed(aim.element, aim.at);
  else if (isDisabled(aim.element)) aim.missed = refuse("disabled");
}

const MOUSE = [
  "pointerover", "pointermove", "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "contextmenu", "dblclick",
];
for (const type of MOUSE) {
  addEventListener(type, (event) => {
    const found = event.composedPath()[0];
    if (!aim || !event.isTrusted || !(found instanceof Element)) return;
    const at = { x: event.clientX, y: event.clientY };
    if (aim.pressed === null && type === "pointerdown") {
      aim.at = at;
      press(found);
    }
    if (type === "click") aim.clicked = aim.clicked || reaches(aim.element, found, at);
    if (aim.pressed === null) aim.over = aim.over || reaches(aim.element, found, at);
    if (aim.pressed === false) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
}

let lastKey = null;

/** Whether the page has taken the last key for itself, so that the browser does nothing at it; asked once. */
sg.keyTaken = () => {
  const taken = lastKey !== null && lastKey.defaultPrevented;
  lastKey = null;
  return taken;
};

addEventListener("keydown", (event) => {
  if (event.isTrusted) lastKey = event;
  if (!typing || !event.isTrusted) return;
  const found = event.composedPath()[0];
  typing.lost = !typing.element.isConnected && !(found instanceof Element && (found.isContentEditable || found.matches("input, textarea")));
}, true);

/** Why the mouse has not done to the element what it was to do ("left" for a click, "other" for other buttons and drags,
 *  "hover"), or null. What was pressed and then acted by itself, gone or not, has been reached. */
sg.landed = (how) => {
  const was = aim;
  aim = null;
  if (!was) return null;
  const { element, pressed, clicked, at } = was;
  if (how === "hover" && (was.over || element.matches(":hover"))) return null;
  if (pressed === null) return element.isConnected && how !== "hover" ? null : missed(element, null);
  if (was.missed) return was.missed;
  if (how !== "left" || clicked) return null;
  if (!element.isConnected) return twin(hit(at.x, at.y), element, (one, other) => one.isEqualNode(other)) ? refuse("replaced") : null;
  return isVisible(element) && missed(element, at).why === "moved" ? refuse("shifted") : null;
};

/** Whether the last keys were lost, since the field that they were meant for is gone. */
sg.typed = () => {
  const { lost } = typing || {};
  typing = null;
  return lost === true;
};
