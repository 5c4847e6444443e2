/**
 * Shared behavior of all settings forms: a draft of the loaded settings, all errors at once, a guard against losing
 * changes, and conflict handling when someone else changes the same settings.
 *
 *     read ──typing──▶ draft ──save──▶ read (with undo)
 *       ▲                │  └─ rejected ──▶ draft, errors at their fields
 *       │                └─ others saved meanwhile ──▶ conflict ──take theirs──▶ read
 *       └────────────────────────────────────────────────┘ └──keep mine──▶ draft, on top of theirs
 */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiError } from '../../../../../src/client/call.ts'
import type {
  ProjectDetail,
  UpdateProjectBody,
} from '../../../../../src/features/projects/operations/projects.ts'
import { assignFaultsToFields } from '../../api/errors.ts'
import { internal, internalQuery } from '../../api/internal.ts'
import { useCommands } from '../../app/commands.ts'
import { useHasPermission, useIsArchived } from '../../app/session.ts'
import { toast, toastFailure, toastWithUndo } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FormFailure, useFocusOnFault } from '../../ui/form-failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'

type Change = Omit<UpdateProjectBody, 'updatedAt'>

export interface SettingsShape<Draft> {
  /** Returns the form's part of the settings. */
  toDraft: (project: ProjectDetail) => Draft
  /** Returns the request body. */
  toChange: (draft: Draft) => Change
  /** Returns labelled values, used to show the differences in a conflict. */
  toLabelledValues: (draft: Draft) => readonly { label: string; value: string }[]
  /** Maps a field of the request, as a JSON pointer without its leading slash, to a field of the form. */
  matchField: (path: string, sent: Change) => string | undefined
}

export interface SettingsState<Draft> {
  draft: Draft
  set: (change: Partial<Draft>) => void
  faults: Partial<Record<string, string>>
  mayChange: boolean
  project: ProjectDetail
}

interface SettingsFormProps<Draft> {
  project: ProjectDetail
  shape: SettingsShape<Draft>
  /** Content below the fields that is not part of the saved settings. */
  below?: ComponentChildren
  /** Asks for confirmation before saving, and calls `go` to save. */
  beforeSave?: (draft: Draft, project: ProjectDetail, go: () => void) => void
  children: (state: SettingsState<Draft>) => ComponentChildren
}

export function SettingsForm<Draft extends object>(props: SettingsFormProps<Draft>) {
  const { shape, below, children } = props
  const mayChange = useHasPermission('projects')
  const { base, draft, set, isDirty, theirs, save, faults, submit, take, keepMine, discard } =
    useSettings(props)
  const form = useFocusOnFault(save.error)
  useSaveCommands(isDirty, submit, discard)
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <UnsavedGuard isDirty={isDirty} />
      {!mayChange && <OnlyAdmins />}
      {theirs !== null && isDirty && (
        <Conflict
          base={shape.toLabelledValues(shape.toDraft(base))}
          theirs={shape.toLabelledValues(shape.toDraft(theirs))}
          mine={shape.toLabelledValues(draft)}
          onTheirs={() => take(theirs)}
          onMine={keepMine}
        />
      )}
      {!isConflict(save.error) && <FormFailure error={save.error} others={faults.others} />}
      <fieldset disabled={!mayChange} class="contents">
        {children({ draft, set, faults: faults.byField, mayChange, project: base })}
      </fieldset>
      {below}
      {mayChange && (
        <SaveBar isDirty={isDirty} isHeld={theirs !== null} isBusy={save.isPending} onDiscard={discard} />
      )}
    </form>
  )
}

/** State of the form and its transitions: save, discard, and resolve a conflict. */
function useSettings<Draft extends object>({ project, shape, beforeSave }: SettingsFormProps<Draft>) {
  const { base, setBase, draft, setDraft, isDirty, theirs } = useDraft(project, shape)
  const startFrom = (from: ProjectDetail) => {
    setBase(from)
    setDraft(shape.toDraft(from))
  }
  const save = useSave(project.id, shape, startFrom)
  const faults = useMemo(
    () => assignFaultsToFields(save.error, (path) => shape.matchField(path, save.variables?.change ?? {})),
    [save.error, save.variables, shape],
  )
  const submit = () => {
    if (!isDirty || save.isPending) return
    const go = () => save.mutate({ change: shape.toChange(draft), from: base })
    if (beforeSave) beforeSave(draft, base, go)
    else go()
  }
  const take = (stored: ProjectDetail) => {
    save.reset()
    startFrom(stored)
  }
  const keepMine = () => {
    save.reset()
    if (theirs !== null) setBase(theirs)
  }
  const discard = () => take(project)
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  return { base, draft, set, isDirty, theirs, save, faults, submit, take, keepMine, discard }
}

function useSaveCommands(isDirty: boolean, save: () => void, discard: () => void) {
  useCommands([
    { id: 'settings-save', label: t('Save'), icon: 'save', keys: 'mod+s', isOff: !isDirty, run: save },
    {
      id: 'settings-discard',
      label: t('Discard the changes'),
      icon: 'undo-2',
      isOff: !isDirty,
      run: discard,
    },
  ])
}

function OnlyAdmins() {
  const isArchived = useIsArchived()
  return (
    <p class="mb-5 flex items-center gap-2 text-13 text-soft">
      <Icon name="lock" size={14} />
      {isArchived ? t('This project is archived.') : t('Admins and owners can change this.')}
    </p>
  )
}

/** Appears with the first unsaved change and disappears with the last; announced to screen readers. */
function SaveBar({
  isDirty,
  isHeld,
  isBusy,
  onDiscard,
}: {
  isDirty: boolean
  /** A conflict must be resolved first. */
  isHeld: boolean
  isBusy: boolean
  onDiscard: () => void
}) {
  return (
    <div class={classes('sticky bottom-4 z-1', isDirty && 'mt-8')}>
      <span class="sr-only" role="status">
        {isDirty ? t('Not saved yet.') : ''}
      </span>
      {isDirty && (
        <div class="flex animate-rise items-center gap-2 rounded-md bg-raised py-2 pr-2 pl-4 shadow-high">
          <span class="flex min-w-0 flex-1 items-center gap-3 text-13 text-soft" aria-hidden="true">
            {t('Unsaved changes')}
            <Keys keys="mod+s" />
          </span>
          <Button look="quiet" onClick={onDiscard}>
            {t('Discard')}
          </Button>
          <Button type="submit" look="primary" disabled={isHeld} isBusy={isBusy}>
            {t('Save')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns the draft, its base version, and concurrent changes by others. */
function useDraft<Draft extends object>(project: ProjectDetail, shape: SettingsShape<Draft>) {
  const [base, setBase] = useState(project)
  const [draft, setDraft] = useState(() => shape.toDraft(project))
  const isDirty = !isSame(draft, shape.toDraft(base))
  const isNewer = project.updatedAt > base.updatedAt
  const hasChanged = isNewer && !isSame(shape.toDraft(project), shape.toDraft(base))
  useEffect(() => {
    // Others changed other settings, or nothing was typed here: continue with the newest version.
    if (!isNewer || (isDirty && hasChanged)) return
    setBase(project)
    if (!isDirty) setDraft(shape.toDraft(project))
  }, [project, isNewer, isDirty, hasChanged, shape])
  return { base, setBase, draft, setDraft, isDirty, theirs: isDirty && hasChanged ? project : null }
}

function useSave<Draft>(
  projectId: string,
  shape: SettingsShape<Draft>,
  onSaved: (saved: ProjectDetail) => void,
) {
  const queries = useQueryClient()
  const { queryKey } = internalQuery('getProject', { params: { projectId } })
  const send = (change: Change, updatedAt: string) =>
    internal('updateProject', { params: { projectId }, body: { updatedAt, ...change } })
  const updateCache = (saved: ProjectDetail) => {
    queries.setQueryData(queryKey, saved)
    void queries.invalidateQueries({ queryKey: ['listProjects'] })
  }
  return useMutation({
    mutationFn: async ({ change, from }: { change: Change; from: ProjectDetail }) => {
      try {
        return await send(change, from.updatedAt)
      } catch (error) {
        if (!isConflict(error)) throw error
        // If others changed a different part of the settings, there is no conflict.
        const newest = await internal('getProject', { params: { projectId } })
        if (!isSame(shape.toDraft(newest), shape.toDraft(from))) throw error
        return await send(change, newest.updatedAt)
      }
    },
    onSuccess: (saved, { from }) => {
      updateCache(saved)
      onSaved(saved)
      toastWithUndo(t('Saved'), () => {
        send(shape.toChange(shape.toDraft(from)), saved.updatedAt).then(
          (undone) => {
            updateCache(undone)
            toast({ kind: 'done', title: t('Undone') })
          },
          (error: unknown) => {
            toastFailure(t('The change was not undone'), error)
          },
        )
      })
    },
    onError: (error) => {
      if (isConflict(error)) void queries.invalidateQueries({ queryKey })
    },
  })
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'changed_meanwhile'
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

type LabelledValues = readonly { label: string; value: string }[]

function Conflict({
  base,
  theirs,
  mine,
  onTheirs,
  onMine,
}: {
  base: LabelledValues
  theirs: LabelledValues
  mine: LabelledValues
  onTheirs: () => void
  onMine: () => void
}) {
  const labels = theirs
    .map(({ label }) => label)
    .filter((label) => findValue(theirs, label) !== findValue(base, label))
  return (
    <div role="alert" class="mb-5 rounded-md border border-warning-solid bg-warning-ground px-4 py-3 text-13">
      <p class="font-medium">{t('Somebody else has changed these settings in the meantime')}</p>
      <Differences labels={labels} theirs={theirs} mine={mine} />
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

function findValue(words: LabelledValues, label: string): string {
  return words.find((one) => one.label === label)?.value ?? ''
}

function Differences({
  labels,
  theirs,
  mine,
}: {
  labels: readonly string[]
  theirs: LabelledValues
  mine: LabelledValues
}) {
  return (
    <table class="mt-2 w-full table-fixed border-collapse">
      <thead>
        <tr class="text-left text-12 text-soft">
          <th scope="col" class="py-1 pr-3 font-normal">
            {t('Setting')}
          </th>
          <th scope="col" class="py-1 pr-3 font-normal">
            {t('Their value')}
          </th>
          <th scope="col" class="py-1 font-normal">
            {t('Your value')}
          </th>
        </tr>
      </thead>
      <tbody>
        {labels.map((label) => (
          <tr key={label} class="align-top">
            <th scope="row" class="py-1 pr-3 text-left font-normal break-words">
              {label}
            </th>
            <td class="py-1 pr-3 break-words">
              <PlainText text={findValue(theirs, label) || '–'} />
            </td>
            <td class="py-1 break-words">
              <PlainText text={findValue(mine, label) || '–'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the newest settings; forms render once they have loaded. */
export function useProjectDetail(projectId: string) {
  return useQuery(internalQuery('getProject', { params: { projectId } }))
}
