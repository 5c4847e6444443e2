/** `octavo import`: converts a site of another generator to a docs.json site in a new folder. */
import { relative } from 'node:path'
import { quoteForShell, resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { type ImportResult, importSite } from '../../../import/import-site.ts'
import { IMPORT_KINDS, type ImportKind } from '../../../import/imported-site.ts'
import { formatNoteLocation, groupNotes, REPORT_FILE } from '../../../import/report.ts'
import { type Command, UsageError } from '../../command.ts'
import { counted } from '../../progress-line.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Convert a Docusaurus, MkDocs or GitBook site, and list what needs manual work.',
  worksOn: 'site',
  positionals: [IMPORT_KINDS.join('|'), 'folder'],
  flags: {
    out: {
      value: 'folder',
      help: 'Folder for the new site. Default: <folder>-docs, next to the old one.',
    },
    force: { help: 'Overwrite files in a folder that is not empty. Its other files are not changed.' },
  },
  async run({ positionals, flag, has, print }) {
    const [word = '', folder = ''] = positionals
    const kind = parseKind(word)
    const result = await importSite({ kind, folder, out: flag('out') ?? null, isForced: has('force') })
    print.result(result, formatImportResult(result))
    return 0
  },
}

function parseKind(word: string): ImportKind {
  const kind = IMPORT_KINDS.find((one) => one === word)
  if (!kind) throw new UsageError(`The kind of site must be one of ${IMPORT_KINDS.join(', ')}.`)
  return kind
}

/** Maximum number of locations printed per kind; the report lists all of them. */
const SHOWN = 3

function formatImportResult({ out, pages, files, notes }: ImportResult): string[] {
  const relativeOut = relative(process.cwd(), out)
  const shown = quoteForShell(relativeOut === '' || relativeOut.startsWith('..') ? out : relativeOut)
  const groups = groupNotes(notes).flatMap(({ title, notes: all }) => [
    `${title}: ${all.length}`,
    ...all.slice(0, SHOWN).map((note) => `    ${formatNoteLocation(note)}  ${note.message}`),
    ...(all.length > SHOWN ? [`    … and ${all.length - SHOWN} more`] : []),
  ])
  return [
    `${counted(pages, 'page')}, ${counted(files, 'file')} in ${out}`,
    ...groups,
    notes.length === 0
      ? 'Nothing needs manual work.'
      : `What needs manual work, with remedies: ${REPORT_FILE} in the new folder`,
    `Preview it: ${resolveProgramCommand()} dev ${shown}`,
    `Check it:   ${resolveProgramCommand()} check ${shown}`,
  ]
}
