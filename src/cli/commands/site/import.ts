/** `octavo import`: converts a site of another generator to a docs.json site in a new folder. */
import { relative } from 'node:path'
import { programCall, quoteForShell } from '../../../app/operator/program-call.ts'
import { type ImportResult, importSite } from '../../../import/import-site.ts'
import { IMPORT_KINDS, type ImportKind } from '../../../import/imported-site.ts'
import { formatNoteLocation, groupNotes, REPORT_FILE } from '../../../import/report.ts'
import { type Command, UsageError } from '../../command.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Make a docs.json site of a site of Docusaurus, MkDocs or GitBook, and say what needs a hand.',
  worksOn: 'site',
  positionals: [IMPORT_KINDS.join('|'), 'folder'],
  flags: {
    out: {
      value: 'folder',
      help: 'Where the new site goes; beside the old one, as <folder>-docs, when left out.',
    },
    force: { help: 'Write over files of a folder that is not empty; its others stay.' },
  },
  async run({ positionals, flag, has, print }) {
    const [word = '', folder = ''] = positionals
    const kind = parseKind(word)
    const result = await importSite({ kind, folder, out: flag('out') ?? null, isForced: has('force') })
    print.result(result, resultLines(result))
    return 0
  },
}

function parseKind(word: string): ImportKind {
  const kind = IMPORT_KINDS.find((one) => one === word)
  if (!kind) throw new UsageError(`The kind of site must be one of ${IMPORT_KINDS.join(', ')}.`)
  return kind
}

/** Maximum number of locations printed per kind; the report has all. */
const SHOWN = 3

function resultLines({ out, pages, files, notes }: ImportResult): string[] {
  const relativeOut = relative(process.cwd(), out)
  const shown = quoteForShell(relativeOut === '' || relativeOut.startsWith('..') ? out : relativeOut)
  const groups = groupNotes(notes).flatMap(({ title, notes: all }) => [
    `${title}: ${all.length}`,
    ...all.slice(0, SHOWN).map((note) => `    ${formatNoteLocation(note)}  ${note.message}`),
    ...(all.length > SHOWN ? [`    … and ${all.length - SHOWN} more`] : []),
  ])
  return [
    `${pages} pages, ${files} files in ${out}`,
    ...groups,
    notes.length === 0
      ? 'Nothing needs a hand.'
      : `What needs a hand, with remedies: ${REPORT_FILE} in the new folder`,
    `Preview it: ${programCall()} dev ${shown}`,
    `Check it:   ${programCall()} check ${shown}`,
  ]
}
