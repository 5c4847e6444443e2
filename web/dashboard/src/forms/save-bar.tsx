/** One bar for all changes of a page, which saves or discards them together. */
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useCommands } from '../app/commands.ts'
import { createStore, useStore } from '../app/store.ts'
import { UnsavedGuard } from '../app/unsaved.tsx'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Keys } from '../ui/kbd.tsx'
import { t } from '../words/words.ts'

interface ChangedForm {
  isBusy: boolean
  /** True while a conflict has to be resolved first. */
  isHeld: boolean
  save: () => Promise<boolean>
  discard: () => void
}

const changedForms = createStore<ReadonlyMap<string, ChangedForm>>(new Map())

function changeForms(change: (forms: Map<string, ChangedForm>) => void): void {
  const forms = new Map(changedForms.get())
  change(forms)
  changedForms.set(forms)
}

export function useSaveBar({ isDirty, isBusy, isHeld, ...acts }: ChangedForm & { isDirty: boolean }): void {
  const id = useId()
  const latest = useRef(acts)
  latest.current = acts
  useLayoutEffect(() => {
    if (!isDirty) return
    const form = {
      isBusy,
      isHeld,
      save: () => latest.current.save(),
      discard: () => latest.current.discard(),
    }
    changeForms((forms) => forms.set(id, form))
    return () => changeForms((forms) => forms.delete(id))
  }, [id, isDirty, isBusy, isHeld])
}

export const hasChanges = (): boolean => changedForms.get().size > 0

/** Saves the changes of the page, form by form, until a form fails. */
export async function saveChanges(): Promise<void> {
  for (const { isHeld, isBusy, save } of [...changedForms.get().values()])
    if (isHeld || isBusy || !(await save())) return
}

/** Appears with the first change and disappears with the last; announced to screen readers. */
export function SaveBar() {
  const forms = [...useStore(changedForms).values()]
  const isDirty = forms.length > 0
  const discard = () => {
    for (const form of forms) form.discard()
  }
  useCommands([
    {
      id: 'save',
      label: t('Save'),
      icon: 'save',
      keys: 'mod+s',
      isOff: !isDirty,
      run: () => void saveChanges(),
    },
    { id: 'discard', label: t('Discard the changes'), icon: 'undo-2', isOff: !isDirty, run: discard },
  ])
  return (
    <div class={classes('sticky bottom-4 z-1', isDirty && 'mt-8')}>
      <UnsavedGuard isDirty={isDirty} />
      <span class="sr-only" role="status">
        {isDirty ? t('Not saved yet.') : ''}
      </span>
      {isDirty && (
        <div class="flex animate-rise items-center gap-2 rounded-md bg-raised p-2 shadow-high">
          {/* At the start, because messages appear at the end of the page. */}
          <Button
            look="primary"
            disabled={forms.some(({ isHeld }) => isHeld)}
            isBusy={forms.some(({ isBusy }) => isBusy)}
            onClick={() => void saveChanges()}
          >
            {t('Save')}
          </Button>
          <Button look="quiet" onClick={discard}>
            {t('Discard')}
          </Button>
          <span class="ml-2 flex min-w-0 items-center gap-3 text-13 text-soft" aria-hidden="true">
            {t('Unsaved changes')}
            <Keys keys="mod+s" />
          </span>
        </div>
      )}
    </div>
  )
}
