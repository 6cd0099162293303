// Reloads a page that could not be shown, and resends the form that was submitted.

const again = document.querySelector("[data-again]");

setTimeout(() => {
  if (again instanceof HTMLFormElement) again.submit();
  else location.replace(again.href);
}, 1000 * Number(again.dataset.again));
