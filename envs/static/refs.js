// The numbers that Playwright gave to the elements of a document: read and set in its own world, where they live.
// Not a part of the init script: branch_refs.py calls one of these functions with the scopes that a listener of
// Playwright's snapshot code closes over. Their values are copies; `computeAriaRef` gives an element the next number.

const snapshotCode = (scopes) => Array.from(scopes).map((one) => one.object).find((one) => one && "computeAriaRef" in one);

const everything = () => {
  const found = [];
  const walk = (node) => {
    for (const child of node.children) {
      found.push(child);
      if (child.shadowRoot) walk(child.shadowRoot);
      walk(child);
    }
  };
  walk(document);
  return found;
};

const read = (scopes) => {
  const refs = [], scope = snapshotCode(scopes);
  if (!scope) return null;
  everything().forEach((element, n) => {
    const own = element._ariaRef;
    if (own) refs.push([n, own.role, own.name, own.ref]);
  });
  return { last: scope.lastRef, refs };
};

const write = (scopes, [{ last, refs }]) => {
  const elements = everything(), scope = snapshotCode(scopes);
  if (!scope || scope.lastRef > last) return false;
  for (let given = scope.lastRef; given < last; given += 1) {
    scope.computeAriaRef({ [scope.elementSymbol]: {}, role: "", name: "" }, {});
  }
  for (const [n, role, name, ref] of refs) {
    if (!elements[n]) return false;
    elements[n]._ariaRef = { role, name, ref };
  }
  return true;
};
