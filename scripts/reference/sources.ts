/** Generates the sources that are derived from other sources. */
import { describeAddresses } from './addresses.ts'
import { describeComponents } from './component-names.ts'
import { describePageLanguages } from './page-languages.ts'

/** Returns the generated text by file. */
export async function madeSources(): Promise<ReadonlyMap<string, string>> {
  return new Map([...describeAddresses(), ...(await describeComponents()), ...describePageLanguages()])
}
