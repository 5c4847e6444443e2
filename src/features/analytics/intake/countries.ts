/**
 * Countries of readers, by a database that the operator brings (MMDB). The address is looked up while a batch is taken
 * in, and kept nowhere.
 */
import { readFile } from 'node:fs/promises'

export interface Countries {
  /** ISO 3166-1, two letters; empty for an address that the database does not know. */
  of(address: string): string
}

/** What is read of the records of all of them: MaxMind and DB-IP write the first, IPinfo the second and third. */
interface CountryRecord {
  country?: { iso_code?: unknown } | string
  country_code?: unknown
}

/** Rejects with a sentence for the operator. */
export async function openCountries(file: string): Promise<Countries> {
  const fault = (what: string, cause: unknown) =>
    new Error(`OCTAVO_COUNTRY_DATABASE: ${what} (${file}).`, { cause })
  const bytes = await readFile(file).catch((cause: Error) => {
    throw fault('the file cannot be read', cause)
  })
  // Only nodes with the setting load it.
  const { Reader } = await import('mmdb-lib')
  const open = () => {
    try {
      return new Reader<CountryRecord>(bytes)
    } catch (cause) {
      throw fault('the file is no MMDB database', cause)
    }
  }
  const reader = open()
  return {
    of(address) {
      try {
        return codeOf(reader.get(withoutZone(address)))
      } catch {
        // No address, or a record that is broken.
        return ''
      }
    },
  }
}

/** `fe80::1%eth0` names a card of this machine behind the address. */
function withoutZone(address: string): string {
  const at = address.indexOf('%')
  return (at === -1 ? address : address.slice(0, at)).replace(/^::ffff:(?=\d+\.)/i, '')
}

function codeOf(record: CountryRecord | null): string {
  const { country, country_code: flat } = record ?? {}
  const code = typeof country === 'object' ? country.iso_code : (flat ?? country)
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : ''
}
