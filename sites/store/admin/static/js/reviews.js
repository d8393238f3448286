// What cannot be undone is asked about twice, by the browser's own dialogs; a No at either leaves everything as it is.

/** Ask both questions of an element; true where both were answered with yes. */
export function askedTwice({ dataset }) {
  return window.confirm(dataset.ask) && window.confirm(dataset.askAgain);
}

// Before the guard against sending twice: a form that was refused here can be sent later.
document.addEventListener(
  "submit",
  (event) => {
    const asking = event.submitter?.dataset.ask ? event.submitter : event.target;
    if (!asking.dataset.ask || askedTwice(asking)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
