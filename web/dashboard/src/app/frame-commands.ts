import { useGo } from '../ui/link.tsx'
import { t } from '../words/words.ts'
import { type Command, useCommands } from './commands.ts'
import { useOrganizationNavigation, useProjectNavigation } from './current-project.ts'
import { ACCOUNT_ITEM, type NavigationItem } from './navigation.ts'
import { undoLast } from './toasts.ts'

/** Registers the commands that have global keyboard shortcuts; the palette adds all other commands. */
export function useFrameCommands(projectId: string | undefined): void {
  const go = useGo()
  const goTo = ({ label, icon, href, key }: NavigationItem): Command => ({
    id: `go-${key}`,
    label,
    group: 'go',
    icon,
    keys: `g ${key}`,
    words: t('go open'),
    run: () => void go(href),
  })
  const navigationItems = [...useProjectNavigation(projectId), ...useOrganizationNavigation(), ACCOUNT_ITEM]
  useCommands(
    [
      ...navigationItems.map(goTo),
      {
        id: 'undo',
        label: t('Undo the last change'),
        group: 'general',
        icon: 'undo-2',
        keys: 'mod+z',
        run: undoLast,
      },
    ],
    { isBase: true },
  )
}
