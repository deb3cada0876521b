import { expect, it } from '@jest/globals';
import { feedDate, unknownZone } from '../../../../infra/connectors/feeds/feed-date';

it.each([
  ['Mon, 16 Oct 2017 15:10:00 +0000', '2017-10-16T15:10:00Z'],
  ['16 Oct 2017 15:10 GMT', '2017-10-16T15:10:00Z'],
  ['Thu, 1 Jan 98 00:00:00 EST', '1998-01-01T05:00:00Z'],
  ['Monday, 16-Oct-17 15:10:00 PDT', '2017-10-16T22:10:00Z'],
  ['Tue, 06 Sept 2022 08:05:00 -0330', '2022-09-06T11:35:00Z'],
  ['Tue, 06 Sep 2022 08:05:00 +0200 (CEST)', '2022-09-06T06:05:00Z'],
  // findings/29-feed-date-not-readable.rss
  ['Mon, May 25 2020 04:45:26 +0000', '2020-05-25T04:45:26Z'],
  ['May 25, 2020', '2020-05-25T00:00:00Z'],
  ['Tue, 06 Sep 2022 18:05:00 AEST', '2022-09-06T08:05:00Z'],
  ['06 Sep 2022', '2022-09-06T00:00:00Z'],
  ['2014-07-21T21:14:39+02:00', '2014-07-21T19:14:39Z'],
  ['2014-07-21T21:14:39.123Z', '2014-07-21T21:14:39Z'],
  ['2014-07-21 21:14:39', '2014-07-21T21:14:39Z'],
  ['20140721T211439Z', '2014-07-21T21:14:39Z'],
  ['2014-07-21', '2014-07-21T00:00:00Z'],
  ['2014-07', '2014-07-01T00:00:00Z'],
  ['2014', '2014-01-01T00:00:00Z'],
  ['1518478934', '2018-02-12T23:42:14Z'],
  ['1518478934000', '2018-02-12T23:42:14Z'],
  ['  2016-12-31T23:59:60Z ', '2016-12-31T23:59:59Z'],
])('%j is %s', (text, expected) => {
  expect(feedDate(text)).toBe(expected);
});

it.each([
  '',
  'yesterday',
  '30 Feb 2017',
  '2017-02-30',
  '2017-13-01',
  '2017-01-01T25:00:00Z',
  'Mon, 16 Foo 2017 15:10:00 +0000',
])('%j is no date', (text) => {
  expect(feedDate(text)).toBeUndefined();
});

it.each([
  ['Tue, 06 Sep 2022 08:05:00 XYZ', 'XYZ'],
  ['May 25 2020 04:45:26 IST', 'IST'],
  ['Tue, 06 Sep 2022 08:05:00 GMT', undefined],
  ['Tue, 06 Sep 2022 08:05:00 +0200', undefined],
  ['06 Sep 2022', undefined],
])('the zone of %j that nobody knows', (text, zone) => {
  expect(unknownZone(text)).toBe(zone);
});
