/** Normalizes the base URL of a site; null if it is invalid. */
export function siteOrigin(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}
