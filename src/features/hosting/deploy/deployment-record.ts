/** Record of a running deployment attempt: stages with their times, and a log. */
import type { Selectable } from 'kysely'
import { toStorableText } from '../../../base/text/storable.ts'
import type { DeploymentTable, LogRow, StageRow } from '../../../database/schema/hosting.ts'
import { isFinal } from '../../../git/project-source.ts'
import { type DeploymentStage, MAX_LOG_LINES } from '../operations/deployments.ts'

/** Maximum number of characters per line, which may quote an author's text. */
const MAX_LINE_CHARACTERS = 500

export interface DeploymentRecord {
  /** Runs the work of a stage and records its start and end. */
  during<Result>(stage: DeploymentStage, work: () => Promise<Result>): Promise<Result>
  writeLine(text: string): void
  columns(): RecordColumns
  /** Returns `columns` with the current stage marked as ended, for a write that happens during the last stage. */
  finalColumns(): RecordColumns
}

interface RecordColumns {
  stages: string
  log: string
}

/** Creates the record of an attempt that has just claimed the row. Appends to the log of earlier attempts. */
export function createRecord(
  row: Pick<Selectable<DeploymentTable>, 'attempt' | 'created_at' | 'log'>,
  now: () => Date = () => new Date(),
): DeploymentRecord {
  const startedAt = now().toISOString()
  const stages: StageRow[] = [
    { name: 'waiting', startedAt: row.created_at.toISOString(), endedAt: startedAt },
  ]
  const log: LogRow[] = [...row.log]
  const writeLine = (text: string) => {
    const line = toStorableText(text)
    log.push({
      at: now().toISOString(),
      text: line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS - 1)}…` : line,
    })
    log.splice(0, log.length - MAX_LOG_LINES)
  }
  const columnsOf = (shown: readonly StageRow[]): RecordColumns => ({
    stages: JSON.stringify(shown),
    log: JSON.stringify(log),
  })
  const ended = (stage: StageRow): StageRow => ({
    ...stage,
    endedAt: stage.endedAt ?? now().toISOString(),
  })
  if (row.log.length > 0) writeLine(`Attempt ${row.attempt}`)
  return {
    writeLine,
    async during(name, work) {
      const stage: StageRow = { name, startedAt: now().toISOString(), endedAt: null }
      // A stage repeated because of lost files counts as one stage.
      const lastStage = stages.at(-1)
      if (lastStage?.name !== name) stages.push(stage)
      try {
        return await work()
      } catch (error) {
        writeLine(
          isFinal(error, true)
            ? error.message
            : 'The attempt ended with an internal error. See the log of the server.',
        )
        throw error
      } finally {
        ;(lastStage?.name === name ? lastStage : stage).endedAt = now().toISOString()
      }
    },
    columns: () => columnsOf(stages),
    finalColumns: () => columnsOf([...stages.slice(0, -1), ...stages.slice(-1).map(ended)]),
  }
}
