import { parseCron } from '../../../../shared/core/windows/cron';

describe('parseCron', () => {
  test('reads names, ranges, steps and Sunday as 0 and 7', () => {
    expect(parseCron('*/20 8-10 * JAN,MAR MON-FRI')).toMatchObject({
      minutes: [0, 20, 40],
      hours: [8, 9, 10],
      months: [1, 3],
      daysOfWeek: [1, 2, 3, 4, 5],
      anyDayOfMonth: true,
      anyDayOfWeek: false,
    });
    expect(parseCron('0 0 * * 7').daysOfWeek).toEqual([0]);
    expect(parseCron('0 0 * * 5-7').daysOfWeek).toEqual([0, 5, 6]);
    expect(parseCron('0 0 * MAR,JUL wed,THU').daysOfWeek).toEqual([3, 4]);
    expect(parseCron('03 * * * *').minutes).toEqual([3]);
  });

  test('expands the predefined ones', () => {
    expect(parseCron('@daily')).toMatchObject({ minutes: [0], hours: [0], anyDayOfMonth: true, anyDayOfWeek: true });
  });

  test.each([
    { name: 'four fields', text: '0 0 * *', says: 'has 4 fields' },
    { name: 'six fields', text: '0 0 0 * * *', says: 'has 6 fields' },
    { name: 'a minute out of range', text: '60 0 * * *', says: 'got value 60' },
    { name: 'the question mark of AWS', text: '0 0 ? * MON', says: '"?" is not Unix cron' },
    { name: 'the hash of Quartz', text: '0 0 * * 2#1', says: '"#" is not Unix cron' },
    { name: 'the L of Quartz', text: '0 0 L * *', says: '"L" is not Unix cron' },
    { name: 'the nearest weekday of Quartz', text: '0 0 15W * *', says: '"W" is not Unix cron' },
    { name: 'the last weekday of Quartz', text: '0 0 LW * *', says: 'write five fields' },
    { name: 'the last Friday of Quartz', text: '0 0 * * FRIL', says: '"L" is not Unix cron' },
    { name: 'the hash of Jenkins', text: 'H 9 * * *', says: '"H" is not Unix cron' },
    { name: 'the hash of Jenkins with a step', text: 'H/30 9 * * *', says: '"H" is not Unix cron' },
    { name: 'the hash of Jenkins within a range', text: 'H(0-30) 9 * * *', says: '"H" is not Unix cron' },
    { name: 'the hash of Jenkins as the hour', text: '0 H/3 * * *', says: '"H" is not Unix cron' },
    { name: 'the hash of Jenkins in lower case', text: 'h 9 * * *', says: 'is not Unix cron' },
    { name: 'the hash of Jenkins twice', text: 'HH 9 * * *', says: 'write five fields' },
    { name: 'a day that no month has', text: '0 0 31 2 *', says: 'day of month' },
    { name: 'days that no month has', text: '0 0 31 2,4 *', says: 'never fires' },
    { name: 'words', text: 'every day at eight o clock', says: 'fields' },
  ])('fails on $name and says what to write', ({ text, says }) => {
    expect(() => parseCron(text)).toThrow(says);
  });
});
