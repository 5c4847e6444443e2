/** What of the sources is made from the rest of them. */
import { describeAddresses } from './addresses.ts'
import { describeComponents } from './component-names.ts'
import { describePageLanguages } from './page-languages.ts'

/** By file, the text that belongs there. */
export async function madeSources(): Promise<ReadonlyMap<string, string>> {
  return new Map([...describeAddresses(), ...(await describeComponents()), ...describePageLanguages()])
}
