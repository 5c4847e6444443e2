/** Whether the sidebar is collapsed to icons: the user's choice when there is enough room, otherwise always. */

import { useIsNarrow } from '../ui/use-width.ts'
import { t } from '../words/words.ts'
import { useCommands } from './commands.ts'
import { createStore, useStore } from './store.ts'

const STORAGE_KEY = 'octavo:rail'

function readStoredFold(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'folded'
  } catch {
    return false
  }
}

const foldStore = createStore<boolean>(readStoredFold())

function setFolded(isFolded: boolean): void {
  try {
    if (isFolded) localStorage.setItem(STORAGE_KEY, 'folded')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  foldStore.set(isFolded)
}

export function useRailFold(): { isFolded: boolean; mayUnfold: boolean; toggle: () => void } {
  const isChosen = useStore(foldStore)
  const isNarrow = useIsNarrow()
  const toggle = () => setFolded(!isChosen)
  useCommands(
    [
      {
        id: 'fold-rail',
        label: isChosen ? t('Expand the navigation') : t('Collapse the navigation'),
        keys: '[',
        group: 'general',
        icon: isChosen ? 'panel-left-open' : 'panel-left-close',
        isOff: isNarrow,
        run: toggle,
      },
    ],
    { isBase: true },
  )
  return { isFolded: isNarrow || isChosen, mayUnfold: !isNarrow, toggle }
}
