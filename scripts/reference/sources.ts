/** Generates the sources that are derived from other sources. */
import { describeAddresses } from './addresses.ts'
import { describeComponents } from './component-names.ts'
import { describeFormSchemas } from './form-schemas.ts'

export async function madeSources(): Promise<ReadonlyMap<string, string>> {
  return new Map([...describeAddresses(), ...describeFormSchemas(), ...(await describeComponents())])
}
