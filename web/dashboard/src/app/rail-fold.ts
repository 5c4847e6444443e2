/** Collapses the sidebar to icons: by the user's choice when there is enough room, otherwise always. */

import { useIsNarrow } from '../ui/use-width.ts'
import { t } from '../words/words.ts'
import { useCommands } from './commands.ts'
import { createStore, useStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

const STORAGE_KEY = 'octavo:rail'

const foldStore = createStore(readStored(STORAGE_KEY) === 'folded')

function setFolded(isFolded: boolean): void {
  writeStored(STORAGE_KEY, isFolded ? 'folded' : null)
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
