/** Combines hostile texts of different kinds into one site. */
import type { HostileSource } from './hostile-sources.ts'

type Files = Record<string, string>

const LOOK = { theme: 'mint', name: 'Hostile', colors: { primary: '#4F46E5' } }
/** Splits a text into pieces used as redirect paths. */
const PLACE = /[\s\S]{1,40}/g
const MOST_REDIRECTS = 4000

/** Uses a `settings` text as docs.json or as a value in it. If there are several, the last one wins. */
export function mixtureOf(sources: readonly HostileSource[]): Files {
  const files: Files = { 'index.mdx': '---\ntitle: Home\n---\n\nWords.\n' }
  const groups: object[] = []
  const redirects: object[] = []
  let settings: string | null = null
  const pages = ['index']
  const addPage = (name: string, text: string) => {
    pages.push(name)
    files[`${name}.mdx`] = text
  }
  for (const [number, { kind, text }] of sources.entries()) {
    const name = `${kind}-${number}`
    switch (kind) {
      case 'frontmatter':
        addPage(name, `---\ntitle: Page\n${text}\n---\n\nWords.\n`)
        break
      case 'settings':
        settings = text
        break
      case 'page':
        addPage(name, text)
        break
      case 'component':
        files[`snippets/${name}.jsx`] = text
        addPage(name, `import { Part } from '/snippets/${name}.jsx'\n\nWords.\n\n<Part />\n`)
        break
      case 'api':
        files[`${name}.yaml`] = `openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n${text}`
        groups.push({ group: name, openapi: `${name}.yaml` })
        break
      case 'redirects':
        redirects.push(...redirectsIn(text))
        break
      case 'ignore':
        files['.mintignore'] = `${files['.mintignore'] ?? ''}${text}\n`
        break
      case 'html':
        addPage(name, `Words.\n\n<div dangerouslySetInnerHTML={{ __html: ${JSON.stringify(text)} }} />\n`)
        break
      case 'pattern':
        throw new Error('a model says patterns, no site holds them')
    }
  }
  groups.push({ group: 'All', pages })
  const sound = JSON.stringify({ ...LOOK, navigation: { groups }, redirects })
  if (settings === null) files['docs.json'] = sound
  else files['docs.json'] = settings.startsWith('{') ? settings : `${sound.slice(0, -1)},"x":${settings}}`
  return files
}

function redirectsIn(text: string): object[] {
  const places = (text.match(PLACE) ?? []).slice(0, MOST_REDIRECTS)
  return places.map((source, number) => ({ source, destination: places[(number * 7 + 1) % places.length] }))
}
