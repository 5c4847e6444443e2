/** Manages the labels of a project: rename, change color, delete. */

import { useState } from 'preact/hooks'
import { LABEL_COLOURS, type LabelColour } from '../../../../../src/base/api/form-choices.ts'
import { MAX_LABEL_NAME_CHARACTERS } from '../../../../../src/base/api/form-limits.ts'
import type { FeedbackLabel } from '../../../../../src/features/feedback/operations/feedback-work.ts'
import { internal } from '../../api/internal.ts'
import { ConfirmDialog } from '../../app/dialogs.tsx'
import { toast, toastFailure } from '../../app/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { plural, t } from '../../words/words.ts'
import { refreshLabels } from './change-work.ts'
import { LabelDot, useLabels } from './work-marks.tsx'

const COLOUR_LABELS: Record<LabelColour, string> = {
  grey: t('Grey'),
  red: t('Red'),
  orange: t('Orange'),
  yellow: t('Yellow'),
  green: t('Green'),
  teal: t('Teal'),
  blue: t('Blue'),
  purple: t('Purple'),
}

export function LabelsDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const labels = useLabels(projectId)
  const [leaving, setLeaving] = useState<FeedbackLabel | null>(null)
  const update = async (label: FeedbackLabel, body: { name?: string; colour?: LabelColour }) => {
    try {
      await internal('updateFeedbackLabel', { params: { projectId, labelId: label.id }, body })
    } catch (error) {
      toastFailure(t('The label was not changed'), error)
    }
    refreshLabels(projectId)
  }
  const remove = async ({ id, name }: FeedbackLabel) => {
    const { entries } = await internal('deleteFeedbackLabel', { params: { projectId, labelId: id } })
    toast({
      kind: 'done',
      title: t('Label “{name}” deleted', { name }),
      detail: plural(entries, 'It was removed from {count} entry.', 'It was removed from {count} entries.'),
    })
    setLeaving(null)
    refreshLabels(projectId)
  }
  return (
    <>
      <Dialog
        title={t('Labels')}
        about={t('Shared by everyone who works on feedback in this project.')}
        onClose={onClose}
      >
        {labels.length === 0 && (
          <p class="text-soft">
            {t('This project has no labels yet. Label an entry to create the first one.')}
          </p>
        )}
        <ul class="-mx-1 max-h-[50vh] space-y-2 overflow-y-auto px-1 py-1">
          {labels.map((label) => (
            <LabelRow
              key={label.id}
              label={label}
              onChange={(body) => void update(label, body)}
              onDelete={() => setLeaving(label)}
            />
          ))}
        </ul>
      </Dialog>
      {leaving !== null && (
        <ConfirmDialog
          title={t('Delete the label “{name}”?', { name: leaving.name })}
          action={t('Delete the label')}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(null)}
        >
          <p>{t('It is removed from all entries. The entries stay. You cannot undo this.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface LabelRowProps {
  label: FeedbackLabel
  onChange: (body: { name?: string; colour?: LabelColour }) => void
  onDelete: () => void
}

function LabelRow({ label, onChange, onDelete }: LabelRowProps) {
  const [name, setName] = useState(label.name)
  const isChanged = name.trim() !== '' && name.trim() !== label.name
  return (
    <li>
      <form
        class="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) onChange({ name: name.trim() })
        }}
      >
        <LabelDot colour={label.colour} />
        <Input
          aria-label={t('Name of {label}', { label: label.name })}
          maxLength={MAX_LABEL_NAME_CHARACTERS}
          autocomplete="off"
          dir="auto"
          class="min-w-0 flex-1"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {isChanged && (
          <Button size="small" type="submit">
            {t('Rename')}
          </Button>
        )}
        <Select
          size="small"
          aria-label={t('Colour of {label}', { label: label.name })}
          value={label.colour}
          options={LABEL_COLOURS.map((colour) => ({ value: colour, label: COLOUR_LABELS[colour] }))}
          onChange={(colour) => onChange({ colour: colour as LabelColour })}
        />
        <IconButton
          icon="trash-2"
          size="small"
          label={t('Delete {name}', { name: label.name })}
          onClick={onDelete}
        />
      </form>
    </li>
  )
}
