import type { ModelTrial } from '../../../../../src/contract/instance.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'

/** What a model answered when it was tested; what it said is its own text. */
export function TrialNotice({ trial, onSaveAnyway }: { trial: ModelTrial; onSaveAnyway: () => void }) {
  const { failure, said, callsTools, milliseconds } = trial
  const seconds = `${(milliseconds / 1000).toFixed(1)} seconds`
  if (failure !== null)
    return (
      <div role="alert">
        <Notice
          tone="danger"
          title={failure.sentence}
          actions={
            <Button size="small" onClick={onSaveAnyway}>
              Save anyway
            </Button>
          }
        >
          {failure.remedy}
        </Notice>
      </div>
    )
  return (
    <div role="status">
      <Notice
        tone={callsTools ? 'success' : 'warning'}
        title={
          callsTools
            ? `The model answered in ${seconds}, and calls tools`
            : `The model answered in ${seconds}, but did not call the tool it was given`
        }
      >
        {!callsTools && (
          <p>Agent jobs need a model, and a server, that calls tools. The assistant does not.</p>
        )}
        {said !== null && (
          <p>
            It said: <PlainText text={said} />
          </p>
        )}
      </Notice>
    </div>
  )
}
