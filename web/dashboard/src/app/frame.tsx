import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useGo } from '../ui/link.tsx'
import { t } from '../words/words.ts'
import { ArchivedBanner } from './archived-banner.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { useCommands } from './commands.ts'
import { useCurrentProjectId, useProjectSummary } from './current-project.ts'
import { useFrameCommands } from './frame-commands.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { usePagePrefetch } from './page-prefetch.ts'
import { useProjectStream } from './project-events.ts'
import { Rail } from './rail.tsx'
import { GatedOutlet, SecondFactorBanner } from './second-factor-gate.tsx'
import { useSession } from './session.ts'
import { closeFailuresOfOtherPages } from './toasts.ts'

/** App shell of all pages for members: sidebar, command palette, shortcut sheet and the project's event stream. */
export function Frame() {
  const here = useProjectSummary()?.id
  const projectId = useCurrentProjectId()
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const close = () => setOpen(null)
  const dialogs = useFrameDialogs()
  const main = useRef<HTMLElement>(null)

  useProjectStream(here)
  usePagePrefetch(here)
  useFocusOnPage(main)
  useFrameCommands(projectId)
  const find = { group: 'general', isKeysOnly: true, run: () => setOpen('palette') } as const
  useCommands(
    [
      { ...find, id: 'palette', label: t('Find anything'), keys: 'mod+k' },
      { ...find, id: 'search', label: t('Search'), keys: '/' },
      {
        id: 'shortcuts',
        label: t('Keyboard shortcuts'),
        keys: '?',
        group: 'general',
        icon: 'keyboard',
        run: () => setOpen('shortcuts'),
      },
    ],
    { isBase: true },
  )
  const { user, organizations } = useSession()
  const { pathname } = useLocation()
  if (user === null) return null // About to be redirected to the sign-in page.
  if (organizations.length === 0 && pathname === '/') return <Outlet /> // The user belongs to no organization, so there is nothing to navigate to.
  return (
    <div class="flex h-full">
      <button
        type="button"
        class="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-10 focus:rounded-sm focus:bg-raised focus:px-3 focus:py-2 focus:shadow-high"
        onClick={() => main.current?.focus()}
      >
        {t('Skip to content')}
      </button>
      <Rail
        projectId={projectId}
        onSearch={() => setOpen('palette')}
        onShortcuts={() => setOpen('shortcuts')}
      />
      <div class="flex min-w-0 flex-1 flex-col">
        <OfflineBanner />
        <SecondFactorBanner />
        <ArchivedBanner />
        <main ref={main} id="main" tabIndex={-1} class="flex min-h-0 min-w-0 flex-1 flex-col">
          <GatedOutlet />
        </main>
        <BottomBar projectId={projectId} onSearch={() => setOpen('palette')} />
      </div>
      {open === 'palette' && dialogs && <dialogs.Palette projectId={here} onClose={close} />}
      {open === 'shortcuts' && dialogs && <dialogs.ShortcutSheet onClose={close} />}
    </div>
  )
}

/** Loads the shell's dialogs after the first render, which does not need them. */
function useFrameDialogs(): typeof import('./frame-dialogs.tsx') | null {
  const [dialogs, setDialogs] = useState<typeof import('./frame-dialogs.tsx') | null>(null)
  useEffect(() => {
    import('./frame-dialogs.tsx').then(setDialogs, () => undefined) // fails only if the server is unreachable
  }, [])
  return dialogs
}

/** Moves the focus to the start of the page after navigation, for the keyboard and screen readers. */
function useFocusOnPage(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const isFirst = useRef(true)
  useEffect(() => closeFailuresOfOtherPages(pathname), [pathname])
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const active = document.activeElement
    if (active === document.body || active === null || !main.current?.contains(active)) main.current?.focus()
  }, [pathname, main])
}

/**
 * Lets Escape navigate to the parent page. Components opened on the page register Escape later and so take precedence.
 */
export function useEscapeTo(href: string): void {
  const go = useGo()
  useCommands(
    [
      {
        id: 'back',
        label: t('Back'),
        keys: 'Escape',
        group: 'general',
        isKeysOnly: true,
        run: () => void go(href),
      },
    ],
    { isBase: true },
  )
}
