/** Where readers find a hosted site: names below `localhost` share the scheme and port of the API, others are https. */
export function siteOrigin(publicUrl: string, domain: string): string {
  if (domain !== 'localhost' && !domain.endsWith('.localhost')) return `https://${domain}`
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`
}

export function isSecureSite(publicUrl: string, domain: string): boolean {
  return siteOrigin(publicUrl, domain).startsWith('https:')
}
