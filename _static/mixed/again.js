// A page that could not be shown is asked for again by itself, with the form that was sent.

const again = document.querySelector("[data-again]");

setTimeout(() => {
  if (again instanceof HTMLFormElement) again.submit();
  else location.replace(again.href);
}, 1000 * Number(again.dataset.again));
