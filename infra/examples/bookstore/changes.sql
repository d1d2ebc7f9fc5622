INSERT INTO book (book_title, author, category, price)
VALUES ('The Great Adventure', 'Alice Walker', 'Adventure', 19.99);

UPDATE book SET author = 'George Orwell' WHERE book_id = 2;
