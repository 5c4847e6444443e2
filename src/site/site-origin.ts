/** Where a site is read. */

/** An address of a site as others begin with it; null for what is none. */
export function siteOrigin(text: string): string | null {
  const url = URL.parse(text.trim())
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}
