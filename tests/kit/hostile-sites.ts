/** Small sites that are expensive to process, each in a different way. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSite } from './site.ts'

export interface HostileFolder {
  name: string
  write(folder: string): Promise<void>
  /** Expected error shown to the owner; null if the site is published with problems. */
  fails: RegExp | null
  /** Patterns that the problems must match; others are allowed. */
  says: readonly RegExp[]
}

type Files = Readonly<Record<string, string>>

const LAST = '\n\nThe last words.\n'

function settings(more: object = {}, pages: readonly string[] = ['index', 'page']): string {
  return JSON.stringify({
    theme: 'mint',
    name: 'Hostile',
    colors: { primary: '#4F46E5' },
    navigation: { groups: [{ group: 'All', pages }] },
    ...more,
  })
}

/** A valid site with the given page. */
function siteOf(page: string, more: Files = {}): Files {
  return {
    'docs.json': settings(),
    'index.mdx': '---\ntitle: Home\n---\n\nWords.\n',
    'page.mdx': page,
    ...more,
  }
}

function folderOf(name: string, files: Files, more: Partial<HostileFolder> = {}): HostileFolder {
  return { name, write: (folder) => writeSite(folder, files), fails: null, says: [], ...more }
}

/** Creates 40 folders with two symlinks each to the next, which gives 2^40 paths. */
async function writeLinks(folder: string): Promise<void> {
  const files: Record<string, string> = siteOf(`Words.${LAST}`)
  for (let number = 0; number < 40; number++) files[`deep/d${number}/page.mdx`] = `Page ${number}.\n`
  await writeSite(folder, files)
  for (let number = 0; number < 39; number++)
    for (const name of ['a', 'b']) await symlink(`../d${number + 1}`, join(folder, `deep/d${number}`, name))
  for (const name of ['self', 'up', 'nowhere', 'outside', 'root'])
    await symlink(
      { self: 'self', up: '..', nowhere: 'gone', outside: '/etc', root: '/' }[name] as string,
      join(folder, 'deep', name),
    )
}

/** Each page has an endless loop that runs until it is terminated. */
function burningPages(count: number): Files {
  const files: Record<string, string> = {
    'docs.json': settings({}, ['index', ...Array.from({ length: count }, (_, n) => `burn-${n}`)]),
    'index.mdx': '---\ntitle: Home\n---\n\nWords.\n',
  }
  for (let number = 0; number < count; number++)
    files[`burn-${number}.mdx`] = `First words.\n\n{(() => { for (;;) {} })()}\n${LAST}`
  return files
}

/** An API description that is small as text but takes much memory when parsed. */
export function largeDescription(): string {
  const paths: Record<string, object> = {}
  for (let number = 0; number < 60_000; number++)
    paths[`/things/${number}/{id}`] = {
      get: {
        summary: `Thing ${number}`,
        parameters: [{ name: 'id', in: 'path', required: true }],
        responses: {},
      },
    }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
}

export function hostileFolders(): HostileFolder[] {
  const redirects = Array.from({ length: 4000 }, (_, number) => ({
    source: `/a${number}/:slug*`,
    destination: `/a${number + 1}/:slug*`,
  }))
  const described = { openapi: 'openapi.json' }
  return [
    folderOf('frontmatter that holds itself', siteOf(`---\na: &a [*a, *a, *a]\ntitle: Page\n---\n${LAST}`)),
    folderOf(
      'frontmatter that doubles forty times',
      siteOf(
        `---\na0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n')}\n---\n${LAST}`,
      ),
    ),
    {
      ...folderOf('folders that link to the next ones', {}, { fails: /a cycle of symbolic links/ }),
      write: writeLinks,
    },
    folderOf(
      'code that emits openings without an end',
      siteOf(
        `{'<img '.repeat(60000)}\n\n<div dangerouslySetInnerHTML={{ __html: '<img '.repeat(60000) }} />${LAST}`,
      ),
    ),
    folderOf('openings of components', siteOf(`${'<Snippet '.repeat(100_000)}${LAST}`), {
      says: [/shown as (?:plain (?:Markdown|text)|its text)/],
    }),
    folderOf('openings of comments', siteOf(`${'/* '.repeat(100_000)}${LAST}`)),
    folderOf('expressions in one paragraph', siteOf(`${'{1} '.repeat(100_000)}${LAST}`), {
      says: [/takes too long/],
    }),
    folderOf('openings in a component', {
      ...siteOf(`import { Part } from '/snippets/part.jsx'\n\n<Part />${LAST}`),
      'snippets/part.jsx': `export const Part = () => <b>x</b>\n${'/* '.repeat(100_000)}`,
    }),
    folderOf('redirects that lead from one to the next', {
      ...siteOf(`Words.${LAST}`),
      'docs.json': settings({ redirects }),
    }),
    folderOf(
      'a name with a NUL in it, which a problem quotes',
      { ...siteOf(`Words.${LAST}`), 'docs.json': settings({}, ['index', 'page', 'gone\0here']) },
      { says: [/gone.here/] },
    ),
    folderOf('code that burns', burningPages(3), { says: [/too much time/] }),
    folderOf(
      'a description that needs too much memory',
      {
        'docs.json': settings({
          api: described,
          navigation: { groups: [{ group: 'API', ...described }] },
        }),
        'index.mdx': '# Hi\n',
        'openapi.json': largeDescription(),
      },
      { fails: /requires more than 0\.3 GB of memory/ },
    ),
  ]
}
