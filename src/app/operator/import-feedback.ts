/** `octavo feedback import`: validates a file exported from a bundle and imports all of it or nothing. */
import { readFile, stat } from 'node:fs/promises'
import { Compile } from 'typebox/compile'
import { explainFaults } from '../../base/errors/explain-faults.ts'
import { findNulFaults } from '../../base/errors/fault.ts'
import { recordAudit } from '../../database/audit.ts'
import {
  entryFaults,
  type ImportedFeedback,
  importFeedback,
} from '../../features/feedback/import-feedback.ts'
import { recordFeedbackChanges } from '../../features/feedback/intake/record-events.ts'
import {
  FEEDBACK_FILE_BYTES,
  FEEDBACK_FILE_ENTRIES,
  FEEDBACK_FILE_FORMAT,
  FeedbackFile,
} from '../../features/feedback/operations/feedback-file.ts'
import type { DatabaseContext } from '../database-context.ts'
import { ACTOR, AdministrationError } from './administration.ts'

export interface FeedbackImport extends ImportedFeedback {
  projectId: string
  /** Number of entries in the file. */
  entries: number
}

const validator = Compile(FeedbackFile)

/** Imports a file. Throws AdministrationError with every fault of the file, in which case nothing is imported. */
export async function importFeedbackFile(context: DatabaseContext, file: string): Promise<FeedbackImport> {
  const { siteId, entries } = checkFile(await readJson(file))
  const { database } = context
  const project = await database.queries
    .selectFrom('projects')
    .select(['id', 'organization_id'])
    .where('site_id', '=', siteId)
    .executeTakeFirst()
  if (project === undefined)
    throw new AdministrationError([`The file is of the site ${siteId}, which is no site of this Octavo`])
  const imported = await database.transaction(async (tx) => {
    const counts = await importFeedback(
      { reportFeedbackChanges: recordFeedbackChanges },
      tx,
      project.id,
      entries,
    )
    await recordAudit(tx, {
      organizationId: project.organization_id,
      actor: ACTOR,
      action: 'feedback.imported',
      subject: project.id,
      details: { ...counts },
    })
    return counts
  })
  return { projectId: project.id, entries: entries.length, ...imported }
}

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file)
    if (size > FEEDBACK_FILE_BYTES)
      throw new AdministrationError([`${file} is larger than ${FEEDBACK_FILE_BYTES} bytes`])
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new AdministrationError([`${file} is not a JSON document: ${error.message}`])
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined) throw new AdministrationError([`${file} cannot be read (${code})`])
    throw error
  }
}

/** Validates the file and reports all faults at once. */
function checkFile(document: unknown): FeedbackFile {
  const { format, entries } = (document ?? {}) as { format?: unknown; entries?: unknown }
  if (format !== FEEDBACK_FILE_FORMAT)
    throw new AdministrationError([
      `This is not a file of feedback: its \`/format\` must be \`${FEEDBACK_FILE_FORMAT}\``,
    ])
  const isRight = validator.Check(document)
  const faults = [
    ...(isRight ? [] : explainFaults(FeedbackFile, document, 'body').map(({ message }) => message)),
    // Report a list that is too long as one fault instead of ten thousand.
    ...(Array.isArray(entries) && entries.length <= FEEDBACK_FILE_ENTRIES
      ? entries.flatMap(entryFaults)
      : []),
    ...(findNulFaults(document).length > 0 ? ['A text of the file contains the character U+0000'] : []),
  ]
  if (faults.length > 0) throw new AdministrationError(faults)
  return document as FeedbackFile
}
