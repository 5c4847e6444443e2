/**
 * Returns the origin of a hosted site. Subdomains of `localhost` share the API's scheme and port; other hosts use
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
