/** Layout of diffs: unified, or side by side when there is room. Stored in the browser. */

import { useState } from 'preact/hooks'
import { t } from '../../words/words.ts'

export const DIFF_VIEWS = [
  { value: 'unified', label: t('Unified') },
  { value: 'split', label: t('Side by side') },
] as const
export type DiffView = (typeof DIFF_VIEWS)[number]['value']

const STORAGE_KEY = 'octavo:diff-view'

export function useDiffView(): [DiffView, (view: DiffView) => void] {
  const [view, setView] = useState(readStoredView)
  const change = (newView: DiffView) => {
    try {
      localStorage.setItem(STORAGE_KEY, newView)
    } catch {
      // Without storage, the choice lasts until the page is closed.
    }
    setView(newView)
  }
  return [view, change]
}

function readStoredView(): DiffView {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'split' ? 'split' : 'unified'
  } catch {
    return 'unified'
  }
}
