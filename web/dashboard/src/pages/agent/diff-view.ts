/** Layout of diffs: unified, or side by side when there is room. The choice is stored in the browser. */

import { useState } from 'preact/hooks'
import { readStored, writeStored } from '../../app/stored.ts'
import { t } from '../../words/words.ts'

export const DIFF_VIEWS = [
  { value: 'unified', label: t('Unified') },
  { value: 'split', label: t('Side by side') },
] as const
export type DiffView = (typeof DIFF_VIEWS)[number]['value']

const STORAGE_KEY = 'octavo:diff-view'

export function useDiffView(): [DiffView, (view: DiffView) => void] {
  const [view, setView] = useState<DiffView>(readStored(STORAGE_KEY) === 'split' ? 'split' : 'unified')
  const change = (newView: DiffView) => {
    writeStored(STORAGE_KEY, newView)
    setView(newView)
  }
  return [view, change]
}
