/** Notifies open pages of a new state, then checks the pages that have not been requested. */
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../base/errors/problem.ts'
import { isInternalError } from '../base/internal-error.ts'
import type { Log } from '../base/log.ts'
import type { LiveSite } from '../render/live-site.ts'
import type { FolderState } from './folder-states.ts'
import type { PageEvents } from './page-events.ts'
import type { PreviewReport } from './preview-report.ts'
import { createProblemTracker, type ProblemChanges } from './problem-tracker.ts'

export interface StateUpdate {
  state: FolderState
  live: LiveSite | null
  /** Aborted when the next state is shown. */
  ended: AbortSignal
  /** Timestamp from `performance.now()`. */
  started: number
  /** If true, no changes are reported. */
  isFirst: boolean
}

export interface Reporter {
  fault(error: unknown): void
  /** Resets the last fault, so that the next one is reported even if equal. */
  clearFault(): void
  siteProblems(problems: readonly Problem[]): void
  pageProblems(problems: readonly Problem[]): void
}

const CHECK_DELAY_MS = 150

/** Reports a fault only when it changes, and problems only when they appear or disappear. */
export function createReporter(report: (event: PreviewReport) => void): Reporter {
  const trackers = { site: createProblemTracker(), pages: createProblemTracker() }
  let lastFault = ''
  const reportChanges = ({ fresh, solved }: ProblemChanges) => {
    if (fresh.length > 0 || solved > 0) report({ kind: 'problems', fresh, solved })
  }
  return {
    fault(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastFault) report({ kind: 'fault', error })
      lastFault = message
    },
    clearFault() {
      lastFault = ''
    },
    siteProblems: (problems) => reportChanges(trackers.site(problems)),
    pageProblems: (problems) => reportChanges(trackers.pages(problems)),
  }
}

interface FollowerDeps {
  report: (event: PreviewReport) => void
  events: PageEvents
  reporter: Reporter
  log: Log
  /** Aborted when the preview stops. */
  stop: AbortSignal
}

export function createFollower(parts: FollowerDeps): (stateUpdate: StateUpdate) => Promise<void> {
  const { report, events, reporter } = parts
  const unreportedFiles = new Set<string>()
  return async (stateUpdate) => {
    const { state, ended, started, isFirst } = stateUpdate
    for (const path of isFirst ? [] : state.changed) unreportedFiles.add(path)
    await events.notify()
    if (ended.aborted) return
    const milliseconds = performance.now() - started
    report({ kind: 'shown', changed: [...unreportedFiles], milliseconds, pages: state.site?.pages.size ?? 0 })
    unreportedFiles.clear()
    reporter.siteProblems(state.problems.filter(({ level }) => level !== 'hint'))
    await checkRemainingPages(stateUpdate, parts)
  }
}

/** Renders the remaining pages to find their problems. Problems of the site have already been reported. */
async function checkRemainingPages({ state, live, ended }: StateUpdate, parts: FollowerDeps): Promise<void> {
  const { report, events, reporter, log, stop } = parts
  if (!live) return
  try {
    // Lets open pages reload first.
    await setTimeout(CHECK_DELAY_MS, null, { signal: ended })
    await events.notifyProblems()
    await live.survey(ended)
    const siteProblemKeys = new Set(state.problems.map((one) => JSON.stringify(one)))
    const all = await live.problems()
    if (ended.aborted) return
    reporter.pageProblems(all.filter((one) => !siteProblemKeys.has(JSON.stringify(one))))
    await events.notifyProblems()
    report({ kind: 'surveyed' })
  } catch (error) {
    if (ended.aborted || stop.aborted) return
    if (isInternalError(error)) reporter.fault(error)
    else log.debug({ error }, 'preview.survey_failed')
  }
}
