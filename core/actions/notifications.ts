import { opt, out, req } from './define';
import type { ActionContract } from './types';

const base = { group: 'notification', step_type: 'tool', short: false, pure: false, available: false } as const;
const success = out('success', 'boolean', 'True when it was sent.');

export const NOTIFICATION_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'send_notification',
    description: 'Shows a notification inside the platform.',
    inputs: [req('message', 'string', 'Text of the notification.')],
    params: [
      opt('title', 'string', 'Title.'),
      opt('priority', 'string', 'Priority.', { enum: ['low', 'normal', 'high', 'urgent'], default: 'normal' }),
      opt('action_url', 'string', 'Address that a click opens.'),
      opt('action_label', 'string', 'Label of the link.'),
    ],
    outputs: [out('notification_id', 'string', 'Id of the notification.'), success],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'send_channel_message',
    description: 'Sends a message through a chat service.',
    inputs: [req('message', 'string', 'Text of the message.')],
    params: [
      opt('channel', 'string', 'Service to use.', { enum: ['telegram', 'discord', 'slack', 'default'] }),
      opt('chat_id', 'string', 'Chat to send to.'),
      opt('format', 'string', 'Format of the text.', { enum: ['markdown', 'plain', 'html'] }),
      opt('silent', 'boolean', 'Deliver without a sound.'),
    ],
    outputs: [out('message_id', 'string', 'Id of the message.'), out('channel', 'string', 'Service used.'), success],
    effect: 'unsafe',
  },
  {
    ...base,
    name: 'broadcast_to_team',
    description: 'Sends a message to every member of a team.',
    inputs: [req('message', 'string', 'Text of the message.'), req('team_id', 'string', 'The team.')],
    params: [opt('channel', 'string', 'A certain service, or `preferred`.')],
    outputs: [
      out('delivered_to', 'integer', 'Members reached.'),
      out('failures', 'integer', 'Members not reached.'),
      success,
    ],
    effect: 'unsafe',
    requires: 'team_post_access',
  },
];
