/** What each kind of trigger looks for. */

import type { Tx } from '../../database/database.ts'
import { findBrokenLinks } from './broken-links.ts'
import { bareCause, type Causes, NOTHING } from './cause.ts'
import { findChangedPages } from './changed-pages.ts'
import { codeByHand } from './code-push.ts'
import { findEmptySearches } from './empty-searches.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import { findPendingFeedback } from './pending-feedback.ts'
import type { AutomationRow } from './store.ts'

/** `isByHand`: what a push changed is looked at once more. */
export async function findCauses(tx: Tx, row: AutomationRow, isByHand: boolean): Promise<Causes> {
  const trigger: AutomationTrigger = row.trigger
  switch (trigger.kind) {
    case 'schedule':
      return { ...NOTHING, causes: [bareCause('schedule')] }
    case 'webhook':
    case 'comment':
    case 'pull_request':
      // What others tell comes by itself.
      return isByHand ? { ...NOTHING, causes: [bareCause(trigger.kind)] } : NOTHING
    case 'code_push':
      return isByHand ? { ...NOTHING, causes: [codeByHand(trigger, row)] } : NOTHING
    case 'push':
      return await findChangedPages(tx, row, trigger, isByHand)
    case 'feedback':
      return await findPendingFeedback(tx, row, trigger)
    case 'search':
      return await findEmptySearches(tx, row, trigger)
    case 'broken_link':
      return await findBrokenLinks(tx, row)
  }
}
