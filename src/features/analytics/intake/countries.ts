/**
 * Looks up the countries of readers in a database supplied by the operator (MMDB). Addresses are used only while a
 * batch is received and are never stored.
 */
import { readFile } from 'node:fs/promises'

export interface Countries {
  /** ISO 3166-1 alpha-2 code; empty for an unknown address. */
  findCountry(address: string): string
}

/** Supported record formats: MaxMind and DB-IP use the first field, IPinfo the second and third. */
interface CountryRecord {
  country?: { iso_code?: unknown } | string
  country_code?: unknown
}

export async function openCountries(file: string): Promise<Countries> {
  const fault = (what: string, cause: unknown) =>
    new Error(`OCTAVO_COUNTRY_DATABASE: ${what} (${file}).`, { cause })
  const bytes = await readFile(file).catch((cause: Error) => {
    throw fault('the file cannot be read', cause)
  })
  // Loaded lazily, because most nodes have no country database.
  const { Reader } = await import('mmdb-lib')
  const open = () => {
    try {
      return new Reader<CountryRecord>(bytes)
    } catch (cause) {
      throw fault('the file is not an MMDB database', cause)
    }
  }
  const reader = open()
  return {
    findCountry(address) {
      try {
        return readCountryCode(reader.get(withoutZone(address)))
      } catch {
        // The address is invalid or the record is damaged.
        return ''
      }
    },
  }
}

/** Removes the zone from an IPv6 address, such as `%eth0` in `fe80::1%eth0`. */
function withoutZone(address: string): string {
  const at = address.indexOf('%')
  return (at === -1 ? address : address.slice(0, at)).replace(/^::ffff:(?=\d+\.)/i, '')
}

function readCountryCode(record: CountryRecord | null): string {
  const { country, country_code: flat } = record ?? {}
  const code = typeof country === 'object' ? country.iso_code : (flat ?? country)
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : ''
}
