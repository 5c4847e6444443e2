/** `octavo new`: creates a small starter site. */

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { quoteForShell, resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { programFile } from '../../../base/files/program-files.ts'
import type { Command } from '../../command.ts'
import { OutputFileError } from '../../output-file.ts'

const STARTER = programFile('examples/starter')

export const newSite: Command = {
  name: 'new',
  summary: 'Create a small starter site with pages, components and an API description.',
  worksOn: 'site',
  positionals: ['folder'],
  flags: { name: { value: 'text', help: "Name of the site. Default: the folder's name." } },
  async run({ positionals, flag, print }) {
    const given = positionals[0] as string
    const folder = resolve(given)
    await copyStarter(folder)
    const name = flag('name') ?? toSiteTitle(basename(folder))
    await nameSite(join(folder, 'docs.json'), name)
    const shown = quoteForShell(relative(process.cwd(), folder).startsWith('..') ? folder : given)
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length
    print.result({ folder, name, files }, [
      `${name}: ${files} files in ${folder}`,
      `Preview it: ${resolveProgramCommand()} dev ${shown}`,
      `Check it:   ${resolveProgramCommand()} check ${shown}`,
    ])
    return 0
  },
}

/** Copies the starter site. Throws OutputFileError if the folder is not empty, so that nothing is overwritten. */
async function copyStarter(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw toWriteError(folder, error)
  })
  if (present.length > 0)
    throw new OutputFileError(`${folder} is not empty. Choose a new or empty folder for the site.`)
  try {
    await mkdir(folder, { recursive: true })
    await cp(STARTER, folder, { recursive: true })
  } catch (error) {
    throw toWriteError(folder, error as NodeJS.ErrnoException)
  }
}

function toWriteError(folder: string, cause: NodeJS.ErrnoException): OutputFileError {
  const why =
    cause.code === 'ENOTDIR' || cause.code === 'EEXIST' ? 'a file with this name exists' : cause.code
  return new OutputFileError(`The folder ${folder} cannot be created (${why}). Choose another one.`, {
    cause,
  })
}

async function nameSite(file: string, name: string): Promise<void> {
  const settings = await readFile(file, 'utf8')
  // The replacement is a function, because `$` in the name must not be interpreted.
  await writeFile(
    file,
    settings.replace('"My documentation"', () => JSON.stringify(name)),
  )
}

/** Derives a title from a folder's name: `my-handbook` → `My handbook`. */
function toSiteTitle(folder: string): string {
  const words = folder.replace(/[-_.\s]+/g, ' ').trim()
  return words === '' ? 'My documentation' : `${words[0]?.toUpperCase()}${words.slice(1)}`
}
