/** Parses domains of email addresses as users type them. */

import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { parseHostname } from '../../../base/hostname.ts'

export function normalizeMailDomain(text: string): string {
  return text.trim().toLowerCase().replace(/^@/, '')
}

export function domainFaults(domain: string, field: string): Fault[] {
  const parsed = parseHostname(domain)
  return 'hostname' in parsed && parsed.hostname === domain && domain.includes('.')
    ? []
    : [faultAt(field, 'invalid_mail_domain')]
}
