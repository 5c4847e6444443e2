/**
 * Settings that are changed together. The form lists fields, with limits from the schema of the operation, and shows
 * every error at its field. The bar of the page saves or discards changes, which can be undone afterwards.
 *
 *     read ──typing──▶ draft ──save──▶ read (with undo)
 *       ▲                │  └─ refused ──▶ draft, errors at their fields
 *       │                └─ others saved meanwhile ──▶ conflict ──take theirs──▶ read
 *       └────────────────────────────────────────────────┘ └──keep mine──▶ draft, on top of theirs
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../../src/client/call.ts'
import { assignErrorsToFields } from '../api/errors.ts'
import { type Confirmation, isConfirmed } from '../app/dialogs.tsx'
import { useIsArchived } from '../app/session.ts'
import { toast, toastFailure, toastWithUndo } from '../app/toasts.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/card.tsx'
import { FormFailure, useFocusFirstError } from '../ui/form-failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { t } from '../words/words.ts'
import { formatValue, isSame, readDraft, writeBody } from './draft.ts'
import { type FormOperation, type FormSchema, getFormSchema } from './field-schema.ts'
import type { Draft, Entry, FieldSpec, Value } from './field-spec.ts'
import { Fields, listFields } from './fields.tsx'
import { saveChanges, useSaveBar } from './save-bar.tsx'

export interface TestResult {
  hasPassed: boolean
  title: string
  tone?: 'success' | 'warning'
  details?: ComponentChildren
}

interface SettingsFormProps<Stored, Body> {
  operation?: FormOperation
  stored: Stored
  /** Converts stored settings to field values by path; only needed if they differ. */
  read?: (stored: Stored) => object
  fields: (draft: Draft, stored: Stored) => readonly Entry[]
  /** Called with the changed fields. Updates the cache and resolves with the stored settings. */
  save: (changes: Body, more: { draft: Draft; body: Body; base: Stored }) => Promise<Stored>
  /** Returns a confirmation to request before saving; null for none. */
  question?: (draft: Draft, before: Draft) => Confirmation | null
  /** Settings that are tested before they are saved. If the test fails, they are saved only on request. */
  trial?: {
    /** Returns false for settings that turn the feature off, which are saved without a test. */
    isOn: (draft: Draft) => boolean
    label?: string
    run: (body: Body, draft: Draft) => Promise<TestResult>
  }
  /** False if the previous values cannot be restored, because they include a secret. */
  canUndo?: boolean
  /** Makes the fields read-only. */
  isOff?: boolean
  children?: ComponentChildren
}

export function SettingsForm<Stored, Body = Record<string, unknown>>(props: SettingsFormProps<Stored, Body>) {
  const { trial, isOff = false, children } = props
  const form = useSettings(props)
  const ref = useFocusFirstError(form.error)
  useScrollToError(ref, form.error)
  useSaveBar({ ...form, isHeld: form.theirs !== null, save: form.submit })
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void saveChanges()
      }}
    >
      {isOff && <ReadOnlyNote />}
      {form.theirs !== null && (
        <ConflictNotice
          fields={form.fields}
          base={form.before}
          theirs={form.theirs}
          mine={form.draft}
          onTheirs={form.discard}
          onMine={form.keepMine}
        />
      )}
      {!isConflict(form.error) && <FormFailure error={form.error} others={form.others} />}
      <fieldset disabled={isOff} class="min-w-0">
        <Fields entries={form.entries} state={{ ...form, isOff }} />
      </fieldset>
      {form.result !== null && <TestNotice result={form.result} onSaveAnyway={() => void form.store()} />}
      {trial?.isOn(form.draft) && (
        <Button class="mt-2" disabled={form.isBusy} isBusy={form.isTesting} onClick={() => void form.test()}>
          {trial.label ?? t('Test')}
        </Button>
      )}
      {children}
    </form>
  )
}

function useSettings<Stored, Body>(props: SettingsFormProps<Stored, Body>) {
  const { operation, stored, read = (one: Stored) => one, trial, question } = props
  const schema = getFormSchema(operation)
  const draftOf = (one: Stored) => readDraft(listFields(props.fields({}, one)), read(one), schema)
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(() => draftOf(stored))
  const [work, setWork] = useState<'save' | 'test' | null>(null)
  const [failure, setFailure] = useState<{ error: unknown; body: unknown } | null>(null)
  const [result, setResult] = useState<TestResult | null>(null)
  const before = draftOf(base)
  const newest = draftOf(stored)
  const isDirty = !isSame(draft, before)
  const hasChanged = stored !== base && !isSame(newest, before)
  useEffect(() => {
    // Continues with the newest version if others changed only other settings, or if nothing was typed here.
    if (stored === base || (isDirty && hasChanged)) return
    setBase(stored)
    if (!isDirty) setDraft(newest)
  }, [stored, base, isDirty, hasChanged])
  const entries = props.fields(draft, base)
  const fields = listFields(entries)
  const shown = fields.filter(({ isHidden }) => isHidden !== true)
  const bodyOf = (values: Draft, some: readonly FieldSpec[]) => writeBody(some, values, schema) as Body
  const changed = shown.filter(({ name }) => !isSame(draft[name], before[name]))
  const body = bodyOf(draft, shown)

  const start = (from: Stored) => {
    setFailure(null)
    setResult(null)
    setBase(from)
    setDraft(draftOf(from))
  }
  const run = async (kind: 'save' | 'test', task: () => Promise<boolean>): Promise<boolean> => {
    if (work !== null) return false
    setWork(kind)
    setFailure(null)
    setResult(null)
    try {
      return await task()
    } catch (error) {
      setFailure({ error, body })
      return false
    } finally {
      setWork(null)
    }
  }
  const passes = async () => {
    if (trial === undefined) return true
    const outcome = await trial.run(body, draft)
    setResult(outcome)
    return outcome.hasPassed
  }
  const save = async () => {
    const saved = await props.save(bodyOf(draft, changed), { draft, body, base })
    start(saved)
    if (props.canUndo === false || trial !== undefined) toast({ kind: 'done', title: t('Saved') })
    else
      toastWithUndo(t('Saved'), () => {
        props.save(bodyOf(before, changed), { draft: before, body: bodyOf(before, shown), base: saved }).then(
          () => toast({ kind: 'done', title: t('Undone') }),
          (error: unknown) => toastFailure(t('The change was not undone'), error),
        )
      })
    return true
  }
  const submit = async () => {
    if (!isDirty) return true
    const asked = question?.(draft, before) ?? null
    if (asked !== null && !(await isConfirmed(asked))) return false
    return run('save', async () => (trial?.isOn(draft) !== true || (await passes())) && (await save()))
  }
  const { byField, others } = assignErrorsToFields(failure?.error, (path) =>
    matchField(path, shown, failure?.body, schema),
  )
  return {
    ...{ schema, entries, fields, draft, before, isDirty, result, others },
    theirs: isDirty && hasChanged ? newest : null,
    error: failure?.error ?? null,
    fieldErrors: byField,
    isBusy: work !== null,
    isTesting: work === 'test',
    set: (change: Readonly<Record<string, Value>>) => {
      setResult(null)
      setDraft((now) => ({ ...now, ...change }))
    },
    submit,
    store: () => run('save', save),
    test: () => run('test', passes),
    discard: () => start(stored),
    keepMine: () => {
      setFailure(null)
      setBase(stored)
    },
  }
}

/** Maps the path of an error to a field; in a list of rows, to the row with that text. */
export function matchField(
  path: string,
  fields: readonly FieldSpec[],
  body: unknown,
  schema: FormSchema,
): string | undefined {
  const field = fields.find(({ name }) => path === name || path.startsWith(`${name}/`))
  if (field === undefined)
    // An error about an object that has no field is shown at the first field within the object.
    return fields.find(({ name }) => name.startsWith(`${path}/`) && schema[name]?.type === undefined)?.name
  const index = path.slice(field.name.length + 1)
  if (field.kind !== 'rows' || index === '') return field.name
  const rows = field.name.split('/').reduce<unknown>((value, name) => (value as never)?.[name], body)
  const row = (rows as readonly string[] | undefined)?.[Number(index)]
  return row === undefined ? field.name : `${field.name}/${row}`
}

/** Scrolls to an error, because the save bar may be far from the form. */
function useScrollToError(form: { current: HTMLFormElement | null }, error: unknown) {
  useLayoutEffect(() => {
    if (error !== null) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' })
  }, [error])
}

function TestNotice({
  result: { hasPassed, title, tone = 'success', details },
  onSaveAnyway,
}: {
  result: TestResult
  onSaveAnyway: () => void
}) {
  return (
    <div role={hasPassed ? 'status' : 'alert'}>
      <Notice
        tone={hasPassed ? tone : 'danger'}
        title={title}
        actions={
          !hasPassed && (
            <Button size="small" onClick={onSaveAnyway}>
              {t('Save anyway')}
            </Button>
          )
        }
      >
        {details}
      </Notice>
    </div>
  )
}

function ReadOnlyNote() {
  const isArchived = useIsArchived()
  return (
    <p class="mb-5 flex items-center gap-2 text-13 text-soft">
      <Icon name="lock" size={14} />
      {isArchived ? t('This project is archived.') : t('Admins and owners can change this.')}
    </p>
  )
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_meanwhile'
}

function ConflictNotice({
  fields,
  base,
  theirs,
  mine,
  onTheirs,
  onMine,
}: {
  fields: readonly FieldSpec[]
  base: Draft
  theirs: Draft
  mine: Draft
  onTheirs: () => void
  onMine: () => void
}) {
  const rows = fields
    .filter(({ name }) => !isSame(theirs[name], base[name]))
    .map((field) => [
      field.label,
      formatValue(field, theirs[field.name]),
      formatValue(field, mine[field.name]),
    ])
  return (
    <div role="alert" class="mb-5 rounded-md border border-warning-solid bg-warning-ground px-4 py-3 text-13">
      <p class="font-medium">{t('Someone else has changed these settings in the meantime')}</p>
      <table class="mt-2 w-full table-fixed border-collapse text-left">
        <thead>
          <tr class="text-12 text-soft">
            {[t('Setting'), t('Their value'), t('Your value')].map((label) => (
              <th key={label} scope="col" class="py-1 pr-3 font-normal">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]} class="align-top">
              {cells.map((cell, index) => (
                <td key={index} class="py-1 pr-3 break-words">
                  <PlainText text={cell || '–'} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="mt-3 flex gap-2">
        <Button size="small" onClick={onTheirs}>
          {t('Take theirs')}
        </Button>
        <Button size="small" onClick={onMine}>
          {t('Keep mine')}
        </Button>
      </div>
    </div>
  )
}
