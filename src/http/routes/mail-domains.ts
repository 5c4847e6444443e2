/** Domains of e-mail addresses as people type them. */
import { parseHostname } from '../../accounts/hostname.ts'
import { type Fault, faultAt } from '../../contract/fault.ts'
import { FORM_FAULTS } from '../../contract/form-faults.ts'

export function mailDomain(text: string): string {
  return text.trim().toLowerCase().replace(/^@/, '')
}

export function domainFaults(domain: string, field: string): Fault[] {
  const parsed = parseHostname(domain)
  return 'hostname' in parsed && parsed.hostname === domain && domain.includes('.')
    ? []
    : [faultAt(field, FORM_FAULTS.mailDomain)]
}
