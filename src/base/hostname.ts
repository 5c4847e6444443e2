/** Host names of sites, in the one spelling in which they are stored and compared. */
import { domainToASCII } from 'node:url'
import { FORM_FAULTS, worded } from './errors/form-faults.ts'

/**
 * Lower case, international names in punycode, no dot at the end. Or one sentence that says what is wrong with the text,
 * beginning with the text itself.
 */
export function parseHostname(text: string): { hostname: string } | { problem: string } {
  const given = text.trim()
  const refuse = (template: string) => ({ problem: worded(template, text) })
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    return refuse(FORM_FAULTS.hostNotUrl)
  }
  if (/[/?#\\]/.test(given)) return refuse(FORM_FAULTS.hostWithoutPath)
  if (/:\d*$/.test(given) && !given.slice(0, given.lastIndexOf(':')).includes(':')) {
    return refuse(FORM_FAULTS.hostWithoutPort)
  }
  const hostname = domainToASCII(given.replace(/\.$/, '')).toLowerCase()
  const labels = hostname.split('.')
  // domainToASCII drops line breaks and decodes percents: it would answer a name that nobody wrote.
  const isName =
    !/[\s%]/.test(given) &&
    hostname.length <= 253 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  // A name whose last label is a number is read as an IPv4 address by browsers.
  if (!isName || /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return refuse(FORM_FAULTS.hostName)
  return { hostname }
}
