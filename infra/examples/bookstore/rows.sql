INSERT INTO book (book_title, author, category, price) VALUES
    ('The Last Summer in Vienna', 'Dr. Remo Geisler', 'Fiction', 20.99),
    ('A History of the Modern World', 'Achim Lorch-Gorlitz', 'Non-Fiction', 10.47),
    ('The Phantom of Blackwood Manor', 'Manuela Niemeier-Dobes', 'Mystery', 25.15),
    ('Chasing Shadows', 'Prof. Franz Josef Hering', 'Thriller', 25.18),
    ('A Love to Remember', 'Liesbeth Stiebitz', 'Romance', 22.61);

INSERT INTO customer (first_name, last_name, address, city, state, zip_code, country) VALUES
    ('Christiane', 'Paffrath', 'Oskar-Freudenberger-Straße 879', 'Ahaus', 'Sachsen-Anhalt', '66145', 'Germany'),
    ('Arnold', 'Reuter', 'Monika-Neuschäfer-Weg 34', 'Celle', 'Bremen', '07985', 'Germany'),
    ('Louise', 'Beckmann', 'Zeki-Rörricht-Weg 1', 'Hersbruck', 'Sachsen', '52035', 'Germany'),
    ('Imke', 'Zimmer', 'Alexandre-Gertz-Ring 65', 'Merseburg', 'Saarland', '86968', 'Germany'),
    ('Anna-Luise', 'Gerlach', 'Ralf-Sölzer-Weg 0', 'Pritzwalk', 'Brandenburg', '18947', 'Germany');

INSERT INTO sales (customer_id, book_id, quantity, unit_price, total_price, sale_date) VALUES
    (1, 1, 2, 20.99, 41.98, '2024-08-11'),
    (2, 3, 1, 25.15, 25.15, '2024-11-06'),
    (3, 4, 3, 25.18, 75.54, '2024-09-01'),
    (4, 5, 1, 22.61, 22.61, '2024-08-15'),
    (5, 2, 2, 10.47, 20.94, '2024-10-22'),
    (1, 4, 4, 25.18, 100.72, '2024-10-22'),
    (2, 5, 3, 22.61, 67.83, '2024-08-10'),
    (3, 1, 1, 20.99, 20.99, '2024-07-22'),
    (4, 2, 2, 10.47, 20.94, '2024-09-10'),
    (5, 3, 1, 25.15, 25.15, '2024-08-30');
