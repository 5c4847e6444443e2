/** Record of a deployment attempt while it runs: stages with their times, and a log. */
import type { Selectable } from 'kysely'
import { storableText } from '../../../base/text/storable.ts'
import type { DeploymentTable, LogRow, StageRow } from '../../../database/schema/hosting.ts'
import { isFinal } from '../../../git/project-source.ts'
import { type DeploymentStage, LOG_LINES_KEPT } from '../operations/deployments.ts'

/** Maximum characters per line, since it may quote an author's text. */
const LINE_KEPT = 500

export interface DeploymentRecord {
  /** Runs the work of a stage and records its times. */
  during<Result>(stage: DeploymentStage, work: () => Promise<Result>): Promise<Result>
  say(text: string): void
  /** Columns to set. */
  columns(): RecordColumns
  /** Like `columns`, with the current stage marked as ended. For writes within the last stage. */
  finalColumns(): RecordColumns
}

interface RecordColumns {
  stages: string
  log: string
}

/** Creates the record of the attempt that has just claimed the row. Appends to the log of earlier attempts. */
export function createRecord(
  row: Pick<Selectable<DeploymentTable>, 'attempt' | 'created_at' | 'log'>,
  now: () => Date = () => new Date(),
): DeploymentRecord {
  const startedAt = now().toISOString()
  const stages: StageRow[] = [
    { name: 'waiting', startedAt: row.created_at.toISOString(), endedAt: startedAt },
  ]
  const log: LogRow[] = [...row.log]
  const say = (text: string) => {
    const line = storableText(text)
    log.push({
      at: now().toISOString(),
      text: line.length > LINE_KEPT ? `${line.slice(0, LINE_KEPT - 1)}…` : line,
    })
    log.splice(0, log.length - LOG_LINES_KEPT)
  }
  const columnsOf = (shown: readonly StageRow[]): RecordColumns => ({
    stages: JSON.stringify(shown),
    log: JSON.stringify(log),
  })
  const ended = (stage: StageRow): StageRow => ({
    ...stage,
    endedAt: stage.endedAt ?? now().toISOString(),
  })
  if (row.log.length > 0) say(`Attempt ${row.attempt}`)
  return {
    say,
    async during(name, work) {
      const stage: StageRow = { name, startedAt: now().toISOString(), endedAt: null }
      // A stage that is repeated because files were lost counts as one.
      const known = stages.at(-1)
      if (known?.name !== name) stages.push(stage)
      try {
        return await work()
      } catch (error) {
        say(isFinal(error, true) ? error.message : 'The attempt ended; the log of the server has the reason.')
        throw error
      } finally {
        ;(known?.name === name ? known : stage).endedAt = now().toISOString()
      }
    },
    columns: () => columnsOf(stages),
    finalColumns: () => columnsOf([...stages.slice(0, -1), ...stages.slice(-1).map(ended)]),
  }
}
