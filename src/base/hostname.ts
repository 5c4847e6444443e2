/** Host names of sites, normalized for storage and comparison. */

import { domainToASCII } from 'node:url'
import { createFault, type Fault } from './errors/fault.ts'

/**
 * Normalizes a host name: lower case, punycode, no trailing dot. For an invalid name, returns a message that describes
 * the problem and begins with the given text.
 */
export function parseHostname(text: string): { hostname: string } | { problem: Fault } {
  const given = text.trim()
  const refuse = (code: 'host_is_url' | 'host_with_path' | 'host_with_port' | 'host_name') => ({
    problem: createFault(code, { host: text }),
  })
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    return refuse('host_is_url')
  }
  if (/[/?#\\]/.test(given)) return refuse('host_with_path')
  if (/:\d*$/.test(given) && !given.slice(0, given.lastIndexOf(':')).includes(':')) {
    return refuse('host_with_port')
  }
  const hostname = domainToASCII(given.replace(/\.$/, '')).toLowerCase()
  const labels = hostname.split('.')
  // domainToASCII strips line breaks and decodes percent-encoding, which would accept a different name.
  const isName =
    !/[\s%]/.test(given) &&
    hostname.length <= 253 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  // Browsers parse a name whose last label is numeric as an IPv4 address.
  if (!isName || /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return refuse('host_name')
  return { hostname }
}
