/** Creates code samples in the languages that a site has configured. */

import type { ApiSample, SampleRequest } from './sample-call.ts'
import { csharpSample, goSample, javaSample } from './sample-programs.ts'
import { curlSample, javascriptSample, phpSample, pythonSample, rubySample } from './sample-scripts.ts'

interface SampleLanguage {
  label: string
  /** Language for syntax highlighting. */
  language: string
  /** Other names, in lower case. */
  aliases: readonly string[]
  write?: (request: SampleRequest) => string
  /** Target and client names in the library that is used for less common languages. */
  library?: readonly [target: string, client: string]
}

const LANGUAGES: Readonly<Record<string, SampleLanguage>> = {
  bash: { label: 'cURL', language: 'bash', aliases: ['curl', 'sh', 'shell'], write: curlSample },
  python: { label: 'Python', language: 'python', aliases: ['py', 'python3'], write: pythonSample },
  javascript: { label: 'JavaScript', language: 'javascript', aliases: ['js'], write: javascriptSample },
  node: {
    label: 'Node.js',
    language: 'javascript',
    aliases: ['nodejs', 'node.js'],
    write: javascriptSample,
  },
  typescript: { label: 'TypeScript', language: 'typescript', aliases: ['ts'], write: javascriptSample },
  php: { label: 'PHP', language: 'php', aliases: [], write: phpSample },
  go: { label: 'Go', language: 'go', aliases: ['golang'], write: goSample },
  java: { label: 'Java', language: 'java', aliases: [], write: javaSample },
  ruby: { label: 'Ruby', language: 'ruby', aliases: ['rb'], write: rubySample },
  csharp: { label: 'C#', language: 'csharp', aliases: ['c#', 'cs'], write: csharpSample },
  dotnet: { label: '.NET', language: 'csharp', aliases: ['.net', 'dot-net'], write: csharpSample },
  powershell: {
    label: 'PowerShell',
    language: 'powershell',
    aliases: [],
    library: ['powershell', 'restmethod'],
  },
  swift: { label: 'Swift', language: 'swift', aliases: [], library: ['swift', 'nsurlsession'] },
  kotlin: { label: 'Kotlin', language: 'kotlin', aliases: ['kt'], library: ['kotlin', 'okhttp'] },
  rust: { label: 'Rust', language: 'rust', aliases: ['rs'], library: ['rust', 'reqwest'] },
  dart: { label: 'Dart', language: 'dart', aliases: ['flutter'], library: ['dart', 'http'] },
  c: { label: 'C', language: 'c', aliases: [], library: ['c', 'libcurl'] },
  'c++': { label: 'C++', language: 'cpp', aliases: ['cpp'], library: ['c', 'libcurl'] },
}

/** Returns the id of a language that an author has named, or null if unknown. */
export function findSampleLanguage(written: string): string | null {
  const name = written.trim().toLowerCase()
  if (Object.hasOwn(LANGUAGES, name)) return name
  return Object.keys(LANGUAGES).find((key) => LANGUAGES[key]?.aliases.includes(name)) ?? null
}

/** Returns the label of a language. For an unknown language, this is the given name. */
export function getLanguageLabel(written: string): { label: string; language: string } {
  const knownLanguage = LANGUAGES[findSampleLanguage(written) ?? '']
  return (
    knownLanguage ?? { label: written, language: written.toLowerCase().replace(/[^\w+#.-]/g, '') || 'text' }
  )
}

/** Creates a sample with the library for less common languages. Returns null if the library cannot create it. */
export type LibraryWriter = (request: SampleRequest, target: string, client: string) => Promise<string | null>

export async function writeSamples(
  request: SampleRequest,
  languages: readonly string[],
  byLibrary: LibraryWriter | null = null,
): Promise<ApiSample[]> {
  const names = [...new Set(languages.flatMap((one) => findSampleLanguage(one) ?? []))]
  const samples: ApiSample[] = []
  for (const name of names) {
    const one = LANGUAGES[name] as SampleLanguage
    const code = one.write
      ? one.write(request)
      : one.library && byLibrary
        ? await byLibrary(request, ...one.library)
        : null
    if (code !== null) {
      samples.push({ title: one.label, name: '', description: '', language: one.language, code })
    }
  }
  return samples
}
