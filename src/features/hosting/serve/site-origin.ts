/**
 * Returns the origin of a hosted site. Names below `localhost` share the scheme and port of the API; others use
 * https.
 */
export function siteOrigin(publicUrl: string, domain: string): string {
  if (domain !== 'localhost' && !domain.endsWith('.localhost')) return `https://${domain}`
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`
}

export function isSecureSite(publicUrl: string, domain: string): boolean {
  return siteOrigin(publicUrl, domain).startsWith('https:')
}
