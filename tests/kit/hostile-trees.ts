/** Generates hostile git trees, as anyone with push access could create them. Deterministic for a seed. */
import { oneOf, type Random, randomOf } from './random.ts'

/** An entry of a git tree. Paths are bytes and may not be valid UTF-8. */
export type TreeEntry =
  | { kind: 'file' | 'link'; path: Buffer; content: string }
  | { kind: 'submodule'; path: Buffer; commit: string }
  /** A folder with names that git itself would not create. */
  | { kind: 'raw'; path: Buffer; names: readonly RawName[] }

/** An entry of a raw folder. All of them have the same small file as content. */
export interface RawName {
  mode: string
  name: Buffer
}

export interface HostileTree {
  shapes: string[]
  entries: TreeEntry[]
}

/** Combines one to three shapes in a tree below the folder. */
export function hostileTree(seed: number, folder: string): HostileTree {
  const random = randomOf(seed)
  const names = (Object.keys(SHAPES) as (keyof typeof SHAPES)[]).filter((name) => name !== 'raw')
  const shapes: (keyof typeof SHAPES)[] = [
    ...new Set(Array.from({ length: 1 + random(3) }, () => oneOf(random, names))),
    ...(isRare(random) ? (['raw'] as const) : []),
  ]
  return { shapes, entries: shapes.flatMap((shape) => SHAPES[shape](`${folder}/${shape}`, random)) }
}

/** Limits shapes that cause the whole repository to be rejected to a few trees, so that most are read. */
function isRare(random: Random): boolean {
  return random(15) === 0
}

const PAGE = '---\ntitle: Page\n---\n\nWords.\n'
const ENDINGS = ['.mdx', '.md', '.txt', '.png', '.json', '.yaml', '', '.jsx', '.svg', '.css']

const SHAPES = {
  /** Up to 10,000 entries, few of which are pages. */
  wide(folder: string, random: Random) {
    const count = oneOf(random, [100, 500, 2000, 10_000])
    const hasPages = random(2) === 0
    return Array.from({ length: count }, (_, number) =>
      file(`${folder}/${number}${hasPages && number % 100 === 0 ? '.mdx' : '.txt'}`, `${number % 7}`),
    )
  },
  /** Nested folders. Git's own limit is a depth of 2,048. */
  deep(folder: string, random: Random) {
    const depth = isRare(random) ? oneOf(random, [250, 1000, 2040, 3000]) : oneOf(random, [20, 50, 190])
    const name = oneOf(random, ['a', '%', 'é', '..a', 'node_modules '])
    return [file(`${folder}/${`${name}/`.repeat(depth)}page.mdx`, PAGE)]
  },
  /** Folders with symlinks to the next one, which gives `links ** rungs` paths. */
  ladder(folder: string, random: Random) {
    const [rungs, links] = isRare(random) ? [2 + random(40), 1 + random(4)] : [2 + random(6), 1 + random(2)]
    return Array.from({ length: rungs }, (_, rung) => [
      file(`${folder}/d${rung}/page.mdx`, PAGE),
      ...Array.from({ length: links }, (_, number) =>
        link(`${folder}/d${rung}/l${number}`, `../d${rung + 1}`),
      ),
    ]).flat()
  },
  /** Symlinks to themselves or their parents, and in cycles and chains. */
  cycles(folder: string, random: Random) {
    const length = 1 + random(200)
    return [
      file(`${folder}/page.mdx`, PAGE),
      link(`${folder}/self`, 'self'),
      link(`${folder}/here`, '.'),
      link(`${folder}/up`, '..'),
      link(`${folder}/far`, '../'.repeat(random(300))),
      link(`${folder}/zigzag`, '../cycles/'.repeat(1 + random(400))),
      ...Array.from({ length }, (_, number) =>
        link(`${folder}/ring${number}`, `ring${(number + 1) % length}`),
      ),
      ...Array.from({ length }, (_, number) =>
        link(`${folder}/chain${number}`, number === 0 ? 'page.mdx' : `chain${number - 1}/`),
      ),
    ]
  },
  /** Symlinks with targets outside the repository, missing targets or invalid paths. */
  outside(folder: string, random: Random) {
    const targets = [
      ...['/', '/etc/passwd', '/proc/self/environ', '/dev/zero', '../../../../../../etc/passwd'],
      ...['.git/config', '../../.git/HEAD', '../node_modules/x', '~/.ssh/id_rsa', 'C:\\Windows', ''],
      ...['gone', 'a'.repeat(1 + random(9000)), 'x\0y', '\n', 'a//b/./c', 'https://example.com/x.mdx'],
    ]
    return targets.map((target, number) => link(`${folder}/${number}${oneOf(random, ENDINGS)}`, target))
  },
  /** Names that collide on case-insensitive or normalizing file systems. */
  clashes(folder: string, random: Random) {
    const forms = [
      'Page',
      'page',
      'PAGE',
      'é',
      'e\u0301',
      'ﬁ',
      'fi',
      'ß',
      'ss',
      'İ',
      'i',
      'con',
      'nul',
      'a.',
      'a ',
      'a',
    ]
    const chosen = [...new Set(Array.from({ length: 2 + random(30) }, () => oneOf(random, forms)))]
    return [
      ...chosen.map((name) => file(`${folder}/${name}.mdx`, PAGE)),
      ...chosen.map((name) => file(`${folder}/${name}/index.mdx`, PAGE)),
      ...chosen.map((name) => file(`${folder}/${name}.md`, PAGE)),
    ]
  },
  /** Names with characters that are special in shells, URLs, glob patterns or terminals. */
  names(folder: string, random: Random) {
    const pieces =
      '\n|\r|\t|"|\'|\\|\x01|\x1b[2J|\x7f|\u202e|\u200b|\u2028|😀|--help|-rf| |%2e%2e|%00|$(id)|`id`|*|[|{|;|&|<b>|:|?|#|a'.split(
        '|',
      )
    return Array.from({ length: 1 + random(200) }, (_, number) => {
      const name = Array.from({ length: 1 + random(8) }, () => oneOf(random, [...pieces, '|'])).join('')
      const path = Buffer.from(`${folder}/${number}${name.repeat(1 + random(20))}${oneOf(random, ENDINGS)}`)
      if (random(10) === 0) path[path.length - 1] = 0xff
      return { kind: 'file' as const, path, content: PAGE }
    })
  },
  /** Submodules, with hostile `.gitmodules` and `.gitattributes` files. */
  submodules(folder: string, random: Random) {
    const urls = [
      'ext::sh -c "touch /tmp/x"',
      '--upload-pack=touch x',
      'file:///etc',
      '../../..',
      'ssh://-oProxyCommand=x/y',
    ]
    const modules = urls.map(
      (url, number) => `[submodule "../../${number}"]\n\tpath = m${number}\n\turl = ${url}\n`,
    )
    return [
      file('.gitmodules', modules.join('')),
      file(`${folder}/.gitmodules`, modules.join('')),
      file(`${folder}/.gitattributes`, '* filter=lfs diff=x merge=y -text\n'),
      ...Array.from({ length: 1 + random(50) }, (_, number) => ({
        kind: 'submodule' as const,
        path: Buffer.from(`${folder}/m${number}`),
        commit: String(number).padStart(40, '1'),
      })),
    ]
  },
  /** A tree object written byte by byte, with duplicate names, invalid names and invalid modes. */
  raw(folder: string, random: Random) {
    const names = [
      '.',
      '..',
      '.git',
      '.GIT',
      'a/b',
      '../../x',
      'page.mdx',
      'page.mdx',
      '\xff',
      'x'.repeat(5000),
    ]
    const modes = ['100644', '100755', '120000', '100000', '644', '40000']
    return [
      {
        kind: 'raw' as const,
        path: Buffer.from(folder),
        names: Array.from({ length: 1 + random(8) }, () => ({
          mode: oneOf(random, modes),
          name: Buffer.from(oneOf(random, names), 'latin1'),
        })),
      },
    ]
  },
} satisfies Record<string, (folder: string, random: Random) => TreeEntry[]>

function file(path: string, content: string): TreeEntry {
  return { kind: 'file', path: Buffer.from(path), content }
}

function link(path: string, target: string): TreeEntry {
  return { kind: 'link', path: Buffer.from(path), content: target }
}
