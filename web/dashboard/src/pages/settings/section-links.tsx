/** Navigation of the settings: a list at the side, or a menu when space is limited. */

import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'

interface Sections {
  sections: readonly { href: string; label: string }[]
  /** URL of the current section. */
  current: string
}

export function SectionLinks({ sections, current }: Sections) {
  return (
    <nav aria-label={t('Settings')} class="w-56 shrink-0 overflow-y-auto border-r border-line px-4 py-5">
      <ul class="space-y-px">
        {sections.map(({ href, label }) => (
          <li key={href}>
            <Link
              look="none"
              href={href}
              aria-current={href === current ? 'page' : undefined}
              class={classes(
                'flex min-h-(--control) items-center rounded-sm px-2 py-1 text-13 outline-offset-[-2px]',
                href === current
                  ? 'bg-pressed font-medium text-text'
                  : 'text-soft hover:bg-hover hover:text-text',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function SectionMenu({ sections, current }: Sections) {
  const chosen = sections.find(({ href }) => href === current)?.label ?? ''
  return (
    <div class="pb-3">
      <Menu
        label={t('Settings')}
        class="w-72"
        items={sections.map(({ href, label }) => ({ href, label, isChecked: href === current }))}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            aria-label={t('Settings: {section}. Choose another', { section: chosen })}
            class="flex h-9 w-full items-center justify-between gap-2 rounded-sm border border-edge bg-raised px-3 text-14 md:w-72 coarse:h-(--control)"
          >
            <span class="truncate">{chosen}</span>
            <Icon name="chevron-down" size={14} class="text-soft" />
          </button>
        )}
      />
    </div>
  )
}
