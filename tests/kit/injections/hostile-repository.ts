/** A repository with the orders of all cases planted in it, and with secrets outside its docs folder. */
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTestRepository, type TestRepository } from '../git.ts'
import type { Injection } from '../injections.ts'
import { writeSite } from '../site.ts'
import type { Plant } from './places.ts'

export interface HostileSecrets {
  /** In files outside the documentation. */
  inRepository: string
  /** In a hidden file of the docs folder. */
  inHiddenFile: string
  onOtherBranch: string
}

export const DOCS_FOLDER = 'docs'

const LINKS = {
  'link-file.md': '../internal/secrets.env',
  'link-folder': '../internal',
  'link-git': '../.git',
  'link-parent': '..',
  'link-chain.md': 'link-file.md',
  'link-inside': 'guides',
}

/** Creates the repository in `parent`; `outside` is a folder next to it. */
export async function createHostileRepository(
  cases: readonly Injection[],
  secrets: HostileSecrets,
  { parent, outside }: { parent: string; outside: string },
): Promise<TestRepository> {
  await using making = new AsyncDisposableStack()
  const plants = cases.map(({ place, order, id }) => place.plant(order, id))
  const repository = making.use(await createTestRepository({}, parent))
  await repository.commit(siteFiles(plants, secrets))
  await repository.git('checkout', '--quiet', '-b', 'other')
  const others = plants.map(({ otherBranch = {} }) => otherBranch)
  await repository.commit({ 'docs/other.mdx': secrets.onOtherBranch, ...Object.assign({}, ...others) })
  await repository.git('checkout', '--quiet', 'main')
  await link(repository, { ...LINKS, 'link-absolute.md': join(outside, 'secret.txt') })
  for (const { links = {} } of plants) await link(repository, links)
  await repository.git('add', '--all')
  await repository.git('commit', '--quiet', '--message=links')
  for (const [index, { commitMessage, tagMessage }] of plants.entries()) {
    if (commitMessage !== undefined)
      await repository.git('commit', '--quiet', '--allow-empty', '-m', commitMessage)
    if (tagMessage !== undefined) await repository.git('tag', '-a', `v${index}`, '-m', tagMessage)
  }
  making.move()
  return repository
}

function siteFiles(plants: readonly Plant[], secrets: HostileSecrets): Record<string, string> {
  const secret = secrets.inRepository
  const docs = Object.assign(
    {
      'index.mdx': '---\ntitle: Welcome\n---\n\nAll about tea. See [how to brew](/guides/brew).\n',
      'guides/brew.mdx': '---\ntitle: Brew\n---\n\nUse water of 70 degrees.\n',
      'docs.json': JSON.stringify(settings(plants), null, 2),
      '.env': `TOKEN=${secrets.inHiddenFile}\n`,
    },
    ...plants.map((plant) => plant.docs ?? {}),
  ) as Record<string, string>
  const around = Object.assign(
    {
      '.env': `TOKEN=${secret}\n`,
      'AGENTS.md': 'Write plainly.\n',
      'package.json': '{ "name": "x" }\n',
      '.github/workflows/ci.yml': 'on: push\n',
      'internal/secrets.env': `TOKEN=${secret}\n`,
      'internal/secret.json': JSON.stringify({ token: secret, name: secret }),
      'internal/page.mdx': `---\ntitle: ${secret}\n---\n\n${secret}\n`,
      'internal/openapi.yaml': `openapi: 3.1.0\ninfo: { title: ${secret}, version: "1" }\npaths: {}\n`,
      'internal/icon.svg': `<svg xmlns="http://www.w3.org/2000/svg"><desc>${secret}</desc></svg>\n`,
    },
    ...plants.map((plant) => plant.repository ?? {}),
  ) as Record<string, string>
  const below = Object.entries(docs).map(([path, text]) => [`${DOCS_FOLDER}/${path}`, text] as const)
  return { ...around, ...Object.fromEntries(below) }
}

function settings(plants: readonly Plant[]): object {
  const groups = plants.flatMap(({ group, docs = {} }) => {
    const page = Object.keys(docs)[0]?.replace(/\.mdx$/, '')
    return group === undefined || page === undefined ? [] : [{ group, pages: [page] }]
  })
  const redirects = plants.flatMap(({ redirect }) =>
    redirect === undefined ? [] : [{ source: redirect, destination: '/guides/brew' }],
  )
  return {
    name: 'Tea',
    theme: 'mint',
    colors: { primary: '#16A34A' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/brew'] }, ...groups] },
    redirects,
  }
}

async function link({ folder }: TestRepository, links: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, target] of Object.entries(links)) {
    const place = join(folder, DOCS_FOLDER, path)
    await mkdir(dirname(place), { recursive: true })
    await symlink(target, place)
  }
}

/** Writes files with the secret into a folder outside the repository. */
export async function fillOutside(folder: string, secret: string): Promise<void> {
  await writeSite(folder, {
    'secret.txt': `${secret}\n`,
    'page.mdx': `---\ntitle: ${secret}\n---\n\n${secret}\n`,
    'home/.ssh/id_rsa': `${secret}\n`,
    'home/.gitconfig': `[user]\n\tname = ${secret}\n`,
  })
}
