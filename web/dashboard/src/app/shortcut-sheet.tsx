import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/kbd.tsx'
import { t } from '../words/words.ts'
import { resolveHeading, useAllCommands } from './commands.ts'

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands().filter(({ keys, isOff }) => keys !== undefined && !isOff)
  const groups = Map.groupBy(commands, resolveHeading)
  return (
    <Dialog title={t('Keyboard shortcuts')} width="xl" onClose={onClose}>
      <div class="columns-2 gap-10 max-md:columns-1">
        {[...groups].map(([heading, list]) => (
          <section key={heading} class="mb-5 break-inside-avoid">
            <h3 class="mb-1 text-12 font-medium text-faint">{heading}</h3>
            <ul>
              {[...Map.groupBy(list, ({ label }) => label)].map(([label, same]) => (
                <li
                  key={label}
                  class="flex min-h-8 coarse:min-h-9 items-center justify-between gap-4 text-13"
                >
                  <span>{label}</span>
                  <span class="flex shrink-0 gap-2">
                    {same.map(({ id, keys = '' }) => (
                      <Keys key={id} keys={keys} />
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
