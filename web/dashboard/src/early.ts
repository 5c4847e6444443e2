/** Runs before the first paint: the scheme that was chosen here, so that nothing flashes. */
try {
  const scheme = localStorage.getItem('octavo:scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Without storage the scheme of the system it is.
}
