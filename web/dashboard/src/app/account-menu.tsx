import { Menu } from '../ui/menu.tsx'
import { t } from '../words/words.ts'
import { SCHEMES, schemeStore, setScheme } from './scheme.ts'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { useStore } from './store.ts'

const SCHEME_LABELS = {
  system: t('System', { context: 'theme' }),
  light: t('Light', { context: 'theme' }),
  dark: t('Dark', { context: 'theme' }),
}
const SCHEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const

export function AccountMenu({
  onShortcuts,
  isFolded = false,
}: {
  onShortcuts: () => void
  isFolded?: boolean
}) {
  const { user, version } = useSession()
  const scheme = useStore(schemeStore)
  if (user === null) return null
  return (
    <Menu
      label={t('Account')}
      side="top"
      class="w-56"
      items={[
        { label: t('Your account'), icon: 'user', about: user.email, href: '/account' },
        { label: t('Keyboard shortcuts'), icon: 'keyboard', keys: '?', run: onShortcuts },
        'line',
        { heading: t('Theme') },
        ...SCHEMES.map((one) => ({
          label: SCHEME_LABELS[one],
          icon: SCHEME_ICONS[one],
          isChecked: one === scheme,
          run: () => setScheme(one),
        })),
        'line',
        { label: t('Sign out'), icon: 'log-out', run: () => void signOut() },
        { heading: t('Octavo {version}', { version }) },
      ]}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={isFolded ? t('Account: {name}', { name: user.name || user.email }) : undefined}
          class="flex h-10 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-hover aria-expanded:bg-pressed"
        >
          <span
            class="flex size-6 shrink-0 items-center justify-center rounded-full bg-neutral-5 text-12 font-medium text-soft"
            aria-hidden="true"
          >
            {[...(user.name || user.email)][0]?.toUpperCase()}
          </span>
          {!isFolded && (
            <span class="min-w-0 flex-1 truncate text-13" title={user.name || user.email}>
              {user.name || user.email}
            </span>
          )}
        </button>
      )}
    />
  )
}
