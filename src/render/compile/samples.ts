/** Collects code samples to check, with the expected output from the next block. */
import type { Sample } from '../page/body.ts'
import type { TreeDeps } from './compile-tree.ts'

/** Maximum number per page. */
const MAX_SAMPLES = 200
/** Maximum number of characters. */
const MAX_SAMPLE_CHARACTERS = 50_000

export function createSampleCollector(
  samples: Sample[],
  file: string,
  at: (line: number | null) => number | null,
  /** Languages whose samples run by default. */
  languages: readonly string[],
): TreeDeps['sample'] {
  let previous: Sample | null = null
  return (line, meta, code) => {
    const { run, language, title, rest } = meta
    const schema = typeof rest.schema === 'string' ? rest.schema : null
    if ((run ?? languages.includes(language)) || schema !== null) {
      const isImplied = run === null && schema === null
      const text = code.slice(0, MAX_SAMPLE_CHARACTERS)
      previous = { file, line: at(line), language, code: text, schema, output: null, isImplied }
      if (samples.length < MAX_SAMPLES) samples.push(previous)
      return
    }
    if (previous !== null && (title === 'output' || language === 'output')) previous.output = code
    previous = null
  }
}
